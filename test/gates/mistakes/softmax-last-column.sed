# The last visible column is left out of the softmax.
# lib/math/softmax_rows.inc.h : unit/softmax_rows
s|j < seen && is_visible|j + 1 < seen \&\& is_visible|
