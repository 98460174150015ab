# The keep mask hides what it should show.
# lib/math/softmax_rows.inc.h : unit/softmax_rows
s/keep\[j\] \? s\[j\]/!keep[j] ? s[j]/
