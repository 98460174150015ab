# The last entry of a row that fills no vector is not stored.
# lib/math/lanes_vector.inc.h : unit/kernels_f64
/^lanes_inline void lanes_store/,/^}/s|n \* sizeof \*out|(n - 1) * sizeof *out|
