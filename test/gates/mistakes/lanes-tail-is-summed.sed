# What fills a last vector up is summed.
# lib/math/lanes_vector.inc.h : unit/kernels_f32
/^lanes_inline lanes lanes_keep/,/^}/s|i < LANES|i < n|
