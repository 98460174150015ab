# A gradient is not divided by what N_out divides the branch by.
# lib/analysis/meanfield.c : unit/costate
s|beta2 / divisor\(row\.norm_out, m\.branch\)|beta2|
