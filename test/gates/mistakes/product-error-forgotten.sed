# The rounding of a product is not allowed for.
# lib/analysis/weight_norm.c : unit/weight_norm
s|1\.01 \* lnstab__rounding\(\(double\)inner\)|0.0|
