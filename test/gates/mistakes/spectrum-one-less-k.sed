# The weight of u is 1 - k, not 1 - k^2.
# lib/analysis/norm_spectrum.c : unit/norm_spectrum
s/j->one_less_k \* \(1\.0 \+ j->k\)/j->one_less_k/
