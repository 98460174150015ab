# The gradient of a weight matrix is overwritten, not added to.
# lib/nn/linear.c : unit/linear
s|x, 1\.0,( +)f->weight\.grad|x, 0.0,\1f->weight.grad|
