# The last row is missing in the gradient of a bias.
# lib/math/elements.inc.h : unit/elements
/^static void column_sums/,/^}/s|i < rows|i + 1 < rows|
