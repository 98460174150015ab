# gelu is the tanh form.
# lib/math/activation.inc.h : unit/activation
s|by\(gelu_at,|by(gelu_tanh_at,|
