# Half of the degrees of freedom is all of them.
# lib/math/chi_square.c : unit/chi_square
s|a = \(double\)d / 2\.0|a = (double)d|
