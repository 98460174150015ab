# Lemma 5 takes twice the mean for the largest.
# lib/analysis/lemma_claims.c : unit/lemma_measures
s|most = largest \* largest|most = 0.0 * largest + 2.0 * lnstab__scene_total(s, x, s->width) / (double)s->rows|
