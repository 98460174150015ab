# A token gets the position of the one before.
# lib/nn/position.c : unit/position
s|row % r->run->tokens \*|(row + r->run->tokens - 1) % r->run->tokens *|
