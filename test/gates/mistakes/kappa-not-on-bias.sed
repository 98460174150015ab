# kappa scales gamma z, not the bias.
# lib/math/norm_rows.inc.h : unit/norm
s|map->scale \* \(gamma \* z \+ bias\)|map->scale * gamma * z + bias|
