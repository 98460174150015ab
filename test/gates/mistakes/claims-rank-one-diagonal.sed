# The rank-one identity forgets the products of two tokens.
# lib/analysis/identity_claims.c : unit/identity_claims
s|size_t j = 0; j <= i|size_t j = i; j <= i|
