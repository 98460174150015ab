# The support function of LayerNorm without centring.
# lib/analysis/alignment_claims.c : unit/alignment_claims api/bounds_attained
s/s->spec->norm == LNSTAB__NORM_LAYER && j </s->spec->norm == LNSTAB__NORM_NONE \&\& j </
