# The gradient of a weight matrix is overwritten, not added to.
# lib/nn/linear.c : unit/linear
s|f->in, 1\.0, f->weight\.grad|f->in, 0.0, f->weight.grad|
