# Rotary positions count from 1.
# lib/nn/rotary.c : unit/rotary
s|\(double\)t \* frequency|((double)t + 1.0) * frequency|g
