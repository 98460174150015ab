# A multiple singular value is found once.
# lib/math/lanczos.c : unit/lanczos
s|if \(!s->how\.is_checked\)|if (s->how.is_checked \|\| 1)|
