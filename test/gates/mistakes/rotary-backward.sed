# The backward pass turns the same way as the forward pass.
# lib/nn/attention.c : unit/attention
/^static const void \*unplace/,/^}/s|-1\.0, to|1.0, to|
