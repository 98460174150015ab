# A block begins at the first row.
# lib/analysis/sensitivity.c : api/sensitivity
s|return b->first \* |return 0 * b->first * |
