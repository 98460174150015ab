# The gradient of a weight matrix is overwritten, not added to.
# lib/nn/linear.c : unit/linear
/\.transpose_a = 1,/,/weight\.grad/s|\.keep = 1\.0|.keep = 0.0|
