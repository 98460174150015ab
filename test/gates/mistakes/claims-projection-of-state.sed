# The projection of Lemma 4 is along a state that is not of norm 1.
# lib/analysis/lemma_measures.c : unit/lemma_measures
s|norm = lnstab__vector_norm\(n, a\);|norm = 1.0;|
