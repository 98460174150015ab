# The last row is missing in the gradients of gamma and bias.
# lib/math/norm_rows.inc.h : unit/norm_rows
/measure_row\(map, in, &row\)/,/^}/s/if \(sums\)/if (sums \&\& i + 1 < rows)/
