#ifndef LNSTAB_MODEL_SCOPE_H
#define LNSTAB_MODEL_SCOPE_H

#include <stdint.h>

#include "base/text.h"

/* The sublayers that a key is set for, "layer.2-5.ffn.": the layers first..last, of them the attention
 * (ATTN), the FFN (FFN) or both. An end of 0 is the last layer, whatever the depth. */
enum { LNSTAB__ATTN = 1, LNSTAB__FFN = 2 };
struct lnstab__scope {
    int64_t first, last;
    int parts;
};

/* Cuts a scope from the front of *name: 1 if there is one, 0 if there is none, which is every sublayer,
 * -1 if what begins as one is none. */
int lnstab__scope_cut(struct lnstab__word *name, struct lnstab__scope *out);

/* Is sublayer k = 0..2L-1 in it? Attention is even. */
int lnstab__scope_has(struct lnstab__scope s, int64_t layers, int64_t k);

/* The layer that an end means in a model of so many. */
int64_t lnstab__scope_end(int64_t end, int64_t layers);

/* Is every sublayer of b one of a, whatever the depth? */
int lnstab__scope_covers(struct lnstab__scope a, struct lnstab__scope b);

#endif
