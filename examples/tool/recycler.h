/* An allocator for the library's handles that keeps the largest block it was given back. A worker makes
 * thousands of models, one at a time; without this, fresh pages cost it a third of its time. */
#ifndef TOOL_RECYCLER_H
#define TOOL_RECYCLER_H

#include "lnstab.h"

struct recycler {
    void *kept; /* NULL, or a block that nobody uses */
    size_t size;
};

/* user is a struct recycler, which is for one thread and starts as {NULL, 0}. */
lnstab_alloc_fn recycler_alloc;
lnstab_free_fn recycler_release;
void recycler_end(struct recycler *r);

#endif
