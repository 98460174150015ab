# The softmax does not subtract the largest score.
# lib/math/softmax_rows.inc.h : unit/softmax_rows
s/shift == -INFINITY \? 0 : shift/0 * shift/
