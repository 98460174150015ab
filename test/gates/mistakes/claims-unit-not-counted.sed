# The unit of gradients does not know how many tokens the loss counts.
# lib/analysis/gradient_measures.c : unit/gradient_measures
s|\(double\)s->m->batch\.counted \*|1.0 *|
