# A backward of W_2 alone goes a sublayer further, into the attention.
# lib/model/passes.c : unit/passes api/forward_from
s/2 \* layer - 1\)/2 * layer - 2)/
