# The support function of LayerNorm without centring.
# lib/analysis/velocity.c : unit/velocity unit/alignment_claims api/bounds_attained
s/norm_of\(s->width, p, s->spec->norm == LNSTAB__NORM_LAYER\)/norm_of(s->width, p, 0)/
