# The softmax does not subtract the largest score.
# lib/math/softmax_rows.inc.h : unit/softmax_rows
s|real_exp\(s\[j\] - largest\)|real_exp(s[j] - 0 * largest)|
