# gelu is the tanh form.
# lib/math/activation.inc.h : unit/activation
s|return gelu_at\(u\);|return (void)gelu_at, gelu_tanh_at(u);|
