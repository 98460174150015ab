# The gradient at the target forgets 1 - smoothing.
# lib/math/loss_rows.inc.h : unit/loss_rows
s|weight \* \(1\.0 - smoothing\)\);|weight);|
