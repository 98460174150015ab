/* What a configuration builds, as the library's JSON. */
#ifndef TOOL_DESCRIPTION_H
#define TOOL_DESCRIPTION_H

#include "pool.h"

#include "lnstab.h"

/* NULL after one line on stderr. */
const char *description_of(struct pool *pool, lnstab_config *c);

#endif
