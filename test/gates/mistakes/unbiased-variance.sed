# The variance is divided by width - 1.
# lib/math/norm_rows.inc.h : unit/norm_rows
s|square / \(double\)map->width|square / (double)(map->width - 1)|
