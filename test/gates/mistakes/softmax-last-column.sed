# The last visible column is left out of the softmax.
# lib/math/softmax_rows.inc.h : unit/softmax_rows
s|exponentials\(seen, factor|exponentials(seen - 1, factor|
