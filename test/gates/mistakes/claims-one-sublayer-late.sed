# Costates are those behind a sublayer.
# lib/analysis/gradient_measures.c : unit/gradient_measures
s|\(int64_t\)a->sublayer - 1\)->grad|(int64_t)a->sublayer)->grad|
