# eps is added to the standard deviation, not to the variance.
# lib/math/norm_rows.inc.h : unit/norm_rows
s|sqrt\(variance \+ map->eps\)|(sqrt(variance) + map->eps)|
