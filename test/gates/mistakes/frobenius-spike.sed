# P_ii - u_i^2 is subtracted where it cancels.
# lib/math/norm_jacobian.inc.h : unit/norm_jacobian
s/largest \* lost > diagonal \/ 2/largest * lost > 2 * diagonal/
