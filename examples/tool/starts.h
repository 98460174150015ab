/* How a model's weights start, as the library describes it. */
#ifndef TOOL_STARTS_H
#define TOOL_STARTS_H

#include "lnstab.h"

#include <stdbool.h>

/* Lines that tell everything that the values of lnstab_model_init depend on, the seed aside: dtype, and
 * for each parameter name, shape, distribution, deviation and gain with its sign. Norms are left out:
 * they start at 1 and 0 in every model. The caller frees it; NULL without memory, or if c describes no
 * model. */
char *starts_of(lnstab_config *c);

/* True if the same seed draws every weight of own with the same values as in whole. */
bool starts_within(const char *own, const char *whole);

/* True for a parameter of a norm. */
bool starts_as_norm(const char *name);

#endif
