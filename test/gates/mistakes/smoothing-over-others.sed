# Label smoothing is shared by the V - 1 other classes.
# lib/math/loss_rows.inc.h : unit/loss_rows
s|sum / \(double\)classes|sum / (double)(classes - 1)|;s|smoothing / \(double\)classes|smoothing / (double)(classes - 1)|
