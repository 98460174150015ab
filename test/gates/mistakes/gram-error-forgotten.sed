# The rounding of a Gram matrix is not allowed for.
# lib/math/gram_norm.c : unit/gram_norm
s|return g->error \+ ROUNDED_UP|return ROUNDED_UP|;s|g->trace \+ g->error|g->trace|
