# P_ii - u_i^2 is subtracted where it cancels.
# lib/math/norm_jacobian.inc.h : unit/norm_jacobian
s/largest > diagonal \/ 2/largest > 2 * diagonal/
