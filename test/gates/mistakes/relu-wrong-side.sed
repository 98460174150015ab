# The gradient of ReLU is 1 on the wrong side.
# lib/math/activation.inc.h : unit/activation
s|lanes_if_less\(zero, u, lanes_of\(1\.0\), nan_or_zero\)|lanes_if_less(u, zero, lanes_of(1.0), nan_or_zero)|
