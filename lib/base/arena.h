#ifndef LNSTAB_BASE_ARENA_H
#define LNSTAB_BASE_ARENA_H

#include <stddef.h>

/* One block, carved from the front. With base NULL the arena only measures: it hands out NULL and
 * counts. The code that lays a handle out runs twice over the same lines, once to learn the size and
 * once to carve it, so the two can never disagree.
 *
 *     base                                                        base + size
 *     | handle | its tables | names | parameters | gradients | ...... |
 */
struct lnstab__arena {
    unsigned char *base;
    size_t used; /* SIZE_MAX once anything overflowed, and from then on */
};

/* count items of item_size bytes, at a multiple of LNSTAB__ALIGN. */
void *lnstab__arena_take(struct lnstab__arena *a, size_t count, size_t item_size);

/* Products and sums of sizes that stick at SIZE_MAX instead of wrapping round. */
size_t lnstab__size_product(size_t a, size_t b);
size_t lnstab__size_sum(size_t a, size_t b);

#endif
