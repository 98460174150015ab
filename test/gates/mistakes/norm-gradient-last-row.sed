# The last row is missing in the gradients of gamma and bias.
# lib/math/norm_rows.inc.h : unit/norm_rows
s/gamma_before, c->sums\)/gamma_before, i + 1 < last ? c->sums : NULL)/
