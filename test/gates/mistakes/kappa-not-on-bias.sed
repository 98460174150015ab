# kappa scales gamma z, not the bias.
# lib/math/norm_rows.inc.h : unit/norm
s|map->scale \* \(gamma_at\(map, i\) \* z \+ \(bias \? \(double\)bias\[i\] : 0\.0\)\)|map->scale * gamma_at(map, i) * z + (bias ? (double)bias[i] : 0.0)|
