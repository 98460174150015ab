# kappa counts in the forward pass only.
# lib/nn/norm.c : unit/norm
/^const void \*lnstab__norm_op_(backward|jvp)/,/^}/s|const (struct lnstab__norm_map map = map_of\(n\);)|\1 map.scale = 1.0;|
