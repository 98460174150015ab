# The tangent along the residual path is not multiplied by alpha.
# lib/model/sublayer.c : unit/sublayer
/^void lnstab__sublayer_jvp/,/^}/s|s->alpha, t_in|1.0, t_in|
