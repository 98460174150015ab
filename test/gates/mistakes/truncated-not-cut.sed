# The truncated normal distribution is not truncated.
# lib/nn/init.c : unit/init
s|redraw_tails\(stream, first, n, out\);|(void)redraw_tails;|
