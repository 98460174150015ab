# An odd number of degrees of freedom loses what its series ends with.
# lib/math/chi_square.c : unit/chi_square
s|d % 2 == 0 \? 0\.0 : erfc|d > 0 ? 0.0 : erfc|
