# The residual path is left out, forward and backward.
# lib/model/plan_sublayer.c : api/oracle
s|s->alpha = |s->alpha = 0.0 * |
