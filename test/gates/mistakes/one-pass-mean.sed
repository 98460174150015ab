# The mean of a float64 row is not taken a second time.
# lib/math/norm_rows.inc.h : unit/norm_rows
s|return sizeof\(real\) < sizeof\(double\) \? mean : mean_about\(map->width, x, mean\);|return mean;|
