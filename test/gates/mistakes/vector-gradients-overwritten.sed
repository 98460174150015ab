# The gradients of gammas and biases are overwritten, not added to.
# lib/math/elements.inc.h : unit/elements
s|\(\(double\)sum\[i\] \+ x\[i\]\)|(x[i])|
