/* What two models have in common, by what the library says their configurations build. */
#ifndef TOOL_LIKENESS_H
#define TOOL_LIKENESS_H

#include "lnstab.h"

#include <stdbool.h>

/* A description cut down to lines. The first has all that the values of lnstab_model_init depend on, the
 * seed aside: dtype, and for each parameter name, shape, distribution, deviation and gain with its sign. Norms
 * are left out: they start at 1 and 0 in every model. The second has all that a state depends on, input and weights
 * aside: every line but the sizes that follow from the depth. Both are NULL without memory, or if c describes no
 * model; likeness_free in any case. */
struct likeness {
    char *weights, *states;
};

struct likeness likeness_of(lnstab_config *c);
void likeness_free(struct likeness *l);

/* Weights: the same seed draws every weight of own with the same values as in whole. States: every layer of own is
 * one of whole. False where either is NULL. */
bool lines_within(const char *own, const char *whole);

/* True for a parameter of a norm. */
bool starts_as_norm(const char *name);

#endif
