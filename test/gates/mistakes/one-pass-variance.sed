# The variance is the mean of squares less the square of the mean.
# lib/math/norm_rows.inc.h : unit/norm_rows
s|centred_square\(map, x, c, 1\.0\)|centred_square(map, x, (struct centre){0, 0}, 1.0) - (double)map->width * c.mean * c.mean|
