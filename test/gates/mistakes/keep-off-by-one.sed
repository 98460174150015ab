# The keep mask of a token is read at the one before.
# lib/math/softmax_rows.inc.h : unit/softmax_rows
s|mask\.keep\[column\]|mask.keep[column ? column - 1 : 0]|
