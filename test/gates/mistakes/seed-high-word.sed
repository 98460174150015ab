# The high word of a seed is ignored.
# lib/math/philox.c : unit/philox api/random
s|\(uint32_t\)\(s\.seed >> 32\)|0U|
