# The ones are lost where a zero of gamma tells them.
# lib/analysis/norm_spectrum.c : unit/norm_spectrum
s/nonzero < most \? nonzero : most/nonzero - (g->centred != 0 \&\& nonzero > 0)/
