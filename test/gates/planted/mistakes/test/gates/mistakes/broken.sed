# Not C.
# lib/math/sum.c : unit/toy
s|double s = 0;|double s = ;|
