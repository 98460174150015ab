# The gradient of the loss is divided by all tokens.
# lib/nn/loss.c : unit/loss
s|1\.0 / \(double\)counted|1.0 / (double)run->rows|
