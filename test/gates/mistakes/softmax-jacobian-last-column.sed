# The last column is missing in the mean of the softmax Jacobian.
# lib/math/softmax_rows.inc.h : unit/attention
s|mean_under\(columns, weight, out\)|mean_under(columns - 1, weight, out)|
