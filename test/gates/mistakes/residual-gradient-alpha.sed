# The gradient along the residual path is not multiplied by alpha.
# lib/model/sublayer.c : unit/sublayer
/^void lnstab__sublayer_backward/,/^}/s|width, s->alpha, d_sum|width, 1.0, d_sum|
