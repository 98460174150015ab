# The gradient of a matrix has its own gain in it, not the other one's.
# lib/analysis/costate.c : unit/costate
s|square = m->last \* average|square = m->first * average|
