# A coefficient of the normal tail has the wrong sign.
# lib/math/elementary_f32.inc.h : unit/kernels_f32
s|horner\(p, t, -0\.06781053411034664\)|horner(p, t, 0.06781053411034664)|
