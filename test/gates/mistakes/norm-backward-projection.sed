# The backward pass of the norms leaves out z mean(t z).
# lib/math/norm_rows.inc.h : unit/norm_rows
s|along /= \(double\)map->width;|along = 0;|
