# The bound on the states of N_res is a tenth too small.
# lib/analysis/bound_claims.c : unit/bound_claims
s|return row\.norm_res +\? 1\.0|return row.norm_res ? 0.9|
