# For the smallest value too, the nearest pole is looked for among the largest.
# lib/analysis/norm_spectrum.c : unit/norm_spectrum
s/j == 1 \? g->largest : g->smallest/g->largest/
