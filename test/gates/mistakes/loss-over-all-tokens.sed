# The loss is the mean over all tokens, not over the counted ones.
# lib/nn/loss.c : unit/loss
s|\? sum / count|? sum / (double)run->rows|;s|1\.0 / \(double\)counted|1.0 / (double)run->rows|
