# A branch without N_out may be scaled too.
# lib/analysis/scale_claims.c : unit/scale_claims
s|&& lnstab__spec_row\(spec, k\)\.norm_out \?|\&\& lnstab__spec_row(spec, k).norm_out >= 0 ?|
