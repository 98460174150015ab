# The last visible column is left out of the softmax.
# lib/math/softmax_rows.inc.h : unit/softmax_rows
s/exponentials\(visible_columns\(i, columns, mask\)/exponentials(visible_columns(i, columns, mask) - 1/
