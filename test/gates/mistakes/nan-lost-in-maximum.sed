# The larger of a bound and a NaN is the bound.
# lib/math/lanes_vector.inc.h : unit/kernels_f32
s/lanes_if_less\(b, a, a, b\)/lanes_if_less(a, b, b, a)/
