#ifndef LNSTAB_API_STREAM_H
#define LNSTAB_API_STREAM_H

#include "api/handle.h"
#include "model/model.h"

/* The checks of calls that look at the last forward. */

int32_t lnstab__require_forward(lnstab_model *m);

/* That forward made what stands at position, or went on from there; what: how to call it. */
int32_t lnstab__require_reached(lnstab_model *m, int position, const char *what);

int32_t lnstab__find_position(lnstab_model *m, const char *name, int *position);

/* Two states of the stream by name, from not after to, of a forward. */
int32_t lnstab__find_positions(lnstab_model *m, const char *from, const char *to, int at[2]);

#endif
