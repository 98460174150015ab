# The last part of a sum over a row is dropped.
# lib/math/lanes_vector.inc.h : unit/kernels_f64
/^lanes_inline double lanes_sum/,/^}/s|i < LANES|i + 1 < LANES|
