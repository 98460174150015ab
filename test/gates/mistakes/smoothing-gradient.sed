# The gradient at the target forgets 1 - smoothing.
# lib/math/loss_rows.inc.h : unit/loss_rows
s|p - weight \* \(1\.0 - smoothing\)|p - weight|
