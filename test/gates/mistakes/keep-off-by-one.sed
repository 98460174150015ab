# The keep mask of a token is read at the one before.
# lib/math/softmax_rows.inc.h : unit/softmax_rows
s/keep\[j\] \? s\[j\]/keep[j > 0 ? j - 1 : 0] ? s[j]/
