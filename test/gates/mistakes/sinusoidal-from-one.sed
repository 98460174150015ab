# Sinusoidal positions count from 1.
# lib/nn/position.c : unit/position
s|\(double\)t \* pow|((double)t + 1.0) * pow|
