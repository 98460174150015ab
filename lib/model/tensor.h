#ifndef LNSTAB_MODEL_TENSOR_H
#define LNSTAB_MODEL_TENSOR_H

#include "nn/init.h"
#include "nn/run.h"

/* The lengths that axes of tensors have. Tensors point into this, so that the states of a model follow
 * the batch of the last forward. */
struct lnstab__extents {
    int64_t batch, tokens; /* 0 before the first forward */
    int64_t width, ffn_width, heads, head_width, kv_width, vocab, max_tokens;
};

enum { LNSTAB__MAX_RANK = 4 };

struct lnstab_tensor {
    char name[48];
    int is_state, is_lent; /* lent: the data is another model's */
    int32_t dtype, rank;
    const int64_t *axis[LNSTAB__MAX_RANK];
    struct lnstab__state held; /* data NULL: not kept */
    struct lnstab__init init;  /* of a parameter */
};

/* The number of elements. */
size_t lnstab__tensor_count(const struct lnstab_tensor *t);

#endif
