# The rows of a group are normalised by the first one's mean and variance.
# lib/math/norm_rows.inc.h : unit/norm_rows
/^static void normalise_rows/,/^}/s/&row\[i - first\]/\&row[0]/
