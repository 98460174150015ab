# A coefficient of the exponential loses digits.
# lib/math/elementary_f32.inc.h : unit/kernels_f32
s|0\.1666666516290286|0.166666|
