# The interval of the j-th eigenvalue begins one too low.
# lib/analysis/norm_spectrum.c : unit/norm_spectrum
s/eigenvalue\(g, j \+ 1\)/eigenvalue(g, j + 2)/
