# A token gets the position of the one before.
# lib/nn/position.c : unit/position
s|row % run->tokens \*|(row + run->tokens - 1) % run->tokens *|
