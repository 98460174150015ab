# The last row is missing in the gradient of a bias.
# lib/math/elements.inc.h : unit/elements
/^static void add_column_sums/,/^}/s|i < rows|i + 1 < rows|
