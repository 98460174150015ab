# The support function of LayerNorm without centring.
# lib/analysis/alignment_claims.c : unit/alignment_claims api/bounds_attained
s/norm_of\(s->width, p, is_centred\(s\)\)/norm_of(s->width, p, 0)/
