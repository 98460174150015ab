# The rest of the mean is left out for rows of fewer digits.
# lib/math/norm_rows.inc.h : unit/norm_rows
s|exact \? sum - d \* mean|exact ? 0.0 * sum|
