# The backward pass of LayerNorm leaves out - mean(t).
# lib/math/norm_rows.inc.h : unit/norm_rows
s|map->kind == LNSTAB__NORM_LAYER \? lanes_sum\(sum\) / d : 0\.0|0.0 * lanes_sum(sum)|
