# The sum starts at 1.
# lib/math/sum.c : api/toy
s|double s = 0;|double s = 1;|
