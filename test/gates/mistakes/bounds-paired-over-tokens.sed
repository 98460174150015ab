# The distance of pairs as a mean over tokens too.
# lib/analysis/transport_claims.c : unit/transport_claims
s/\(double\)s->batch \/ 2\.0/(double)s->rows \/ 2.0/
