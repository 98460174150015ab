# Positions go on from one sequence to the next.
# lib/nn/position.c : unit/position
s|row % r->run->tokens \*|row / r->run->batch *|
