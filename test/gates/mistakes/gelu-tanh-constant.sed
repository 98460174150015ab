# 0.0447 instead of 0.044715.
# lib/math/activation.inc.h : unit/activation
s|0\.044715|0.0447|
