#ifndef LNSTAB_API_STREAM_H
#define LNSTAB_API_STREAM_H

#include "api/handle.h"
#include "model/model.h"

/* The checks of calls that look at the last forward. */

int32_t lnstab__require_forward(lnstab_model *m);

/* Two states of the stream by name, from not after to, of a forward. */
int32_t lnstab__find_positions(lnstab_model *m, const char *from, const char *to, int at[2]);

#endif
