# The last column is missing in the mean of the softmax Jacobian.
# lib/math/softmax_rows.inc.h : unit/attention
/^static void softmax_jacobian/,/^}/{/mean = 0/,/mean \+=/s|j < columns|j + 1 < columns|}
