# The rows of a part of a matrix are taken for dense.
# lib/analysis/weight_norm.c : unit/weight_norm
s|row \* a->w\.stride|row * a->w.columns|
