/* What the results of a sweep depend on, as lines of text. */
#ifndef TOOL_BEGUN_H
#define TOOL_BEGUN_H

#include "sweep.h"

#define BEGUN_FORMAT "lnstab-checkpoint=1"

/* BEGUN_FORMAT, then a line name=value each for the library and its back end, the axes of the grid, the
 * first seed, and the options that change numbers. How many seeds there are is not among them: each has
 * results of its own. The caller frees it; NULL without memory. */
char *begun_with(const struct sweep *s);

#endif
