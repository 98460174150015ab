/* The setting that the mean field speaks about, made of a configuration by changing as little as can be:
 * uniform attention, ReLU, Xavier weights, inputs N(0, I). Norms, coefficients, gains and sizes stay. */
#ifndef TOOL_TWIN_H
#define TOOL_TWIN_H

#include "lnstab.h"

#define TWIN_TEXT 1024

struct twin {
    char assignments[TWIN_TEXT]; /* what to set over the configuration                            */
    char changed[TWIN_TEXT];     /* "causal=0 (not 1), activation=relu (not gelu)", "" if nothing */
};

/* c does not stay as it is. */
void twin_of(lnstab_config *c, struct twin *out);

#endif
