# The gradient along the residual path is not multiplied by alpha.
# lib/model/sublayer.c : unit/sublayer
/^void lnstab__sublayer_backward/,/^}/s|n, s->alpha, d_sum|n, 1.0, d_sum|
