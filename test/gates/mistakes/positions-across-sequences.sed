# Positions go on from one sequence to the next.
# lib/nn/position.c : unit/position
s|row % run->tokens \*|row / run->batch *|
