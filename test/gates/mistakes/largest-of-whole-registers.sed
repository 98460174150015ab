# Numbers behind the last that fill a register have no part in the maximum of a row.
# lib/math/lanes_vector.inc.h : unit/kernels_f32
s/size_t i = whole; i < n;/size_t i = n; i < n;/
