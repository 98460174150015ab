# The radius is of word 0 or 2, the angle of the pair's own word 0 or 2 too.
# lib/math/philox.c : unit/philox
s/lnstab__turn_of_word\(x->words\[w \+ 1\]/lnstab__turn_of_word(x->words[w]/
