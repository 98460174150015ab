# Elements come word by word of many counters, not counter by counter.
# lib/math/philox.c : unit/philox api/random
s/out\[WORDS \* i \+ w\]/out[LANES * w + i]/
