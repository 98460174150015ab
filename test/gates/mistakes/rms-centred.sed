# RMSNorm subtracts the mean.
# lib/math/norm_rows.inc.h : unit/norm_rows
s|if \(map->kind != LNSTAB__NORM_LAYER\)|if (map->width == 0)|
