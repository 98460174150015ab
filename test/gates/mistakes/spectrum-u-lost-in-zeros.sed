# What the zeros of gamma tell of u is not looked at.
# lib/analysis/norm_spectrum.c : unit/norm_spectrum
s/ \&\& !shows_in_zeros\(g, x\)//
