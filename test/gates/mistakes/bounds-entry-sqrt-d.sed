# An entry of LayerNorm's output may be sqrt d, not sqrt(d - 1).
# lib/analysis/ellipsoid_claims.c : unit/ellipsoid_claims api/bounds_attained
s/\(double\)s->width - \(s->spec->norm == LNSTAB__NORM_LAYER\)/(double)s->width/
