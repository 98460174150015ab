# Of a line that is gone.
# lib/math/sum.c : unit/toy
s|float s = 0;|float s = 1;|
