# The Jacobian of the soft cap is taken without the square.
# lib/math/softmax_rows.inc.h : unit/softmax_rows
s|\* \(1\.0 - part\) \* \(1\.0 \+ part\)|* (1.0 - part)|
