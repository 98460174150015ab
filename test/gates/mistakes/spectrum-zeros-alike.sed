# Gammas that are alike but for zeros are taken for all alike.
# lib/analysis/norm_spectrum.c : unit/norm_spectrum
s/g->zeros == 0 \&\& //
