# N_out leaves of its argument what it makes of it.
# lib/analysis/identity_claims.c : unit/identity_claims
s|factor = n->eps / \(variance \* sqrt\(variance\)\)|factor = 1.0 / sqrt(variance)|
