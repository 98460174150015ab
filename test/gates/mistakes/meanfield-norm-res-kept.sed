# A gradient on the residual path is not divided by what N_res divides the sum by.
# lib/analysis/meanfield.c : unit/costate
s|m\.kept = alpha2 / divisor\(row\.norm_res, m\.sum\)|m.kept = alpha2|
