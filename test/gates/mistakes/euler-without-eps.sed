# Euler's identity takes N_out for homogeneous of degree 0 whatever eps is.
# lib/analysis/identity_claims.c : unit/identity_claims
s|factor = n->eps / |factor = 0.0 * |
