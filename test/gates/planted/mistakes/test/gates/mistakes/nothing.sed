# Nothing: the sum starts at another way to write 0.
# lib/math/sum.c : unit/toy
s|double s = 0;|double s = 0.0 * 1.0;|
