# A coefficient of the normal tail has the wrong sign.
# lib/math/elementary_f32.inc.h : unit/kernels_f32
s|p \* t - 0\.13562106822069328|p * t + 0.13562106822069328|
