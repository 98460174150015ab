# The keep mask hides what it should show.
# lib/math/softmax_rows.inc.h : unit/softmax_rows
s|return !mask\.keep .. mask\.keep\[column\];|return !mask.keep \|\| !mask.keep[column];|
