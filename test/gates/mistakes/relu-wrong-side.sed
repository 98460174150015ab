# The gradient of ReLU is 1 on the wrong side.
# lib/math/activation.inc.h : unit/activation
s|u > 0 \? 1\.0|u < 0 ? 1.0|
