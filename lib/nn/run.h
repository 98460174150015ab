#ifndef LNSTAB_NN_RUN_H
#define LNSTAB_NN_RUN_H

#include <stddef.h>
#include <stdint.h>

#include "base/workers.h"
#include "math/kernels.h"

/* An array of the forward pass and, where one is held, the gradient of the loss with respect to it (its
 * costate). Both are dense, rows = batch x tokens. */
struct lnstab__state {
    void *data;
    void *grad;
};

/* Arrays that one sublayer needs for the moment, shared by all layers: gradients in a backward pass,
 * tangents in a jvp. Those of an attention, of an FFN and of the head may lie over one another. */
struct lnstab__workspace {
    void *stream[2];         /* rows x width: along the residual stream, in turn */
    void *sum, *f_out;       /* rows x width */
    void *branch, *f_in;     /* rows x width */
    void *q, *q_hat, *heads; /* rows x width */
    void *k, *k_hat, *v;     /* rows x kv width */
    void *weights, *scores;  /* panels: see nn/attention.h */
    void *capped;            /* the same, NULL without a soft cap */
    void *hidden, *up;       /* rows x ffn_width */
    void *logits;            /* a block of rows x vocab */
    double *columns;         /* a worker: 2 column_count, see nn/split.h */
    size_t column_count;     /* max(width, ffn_width) */
};

/* What one pass over the model needs to know of the present batch. */
struct lnstab__run {
    const struct lnstab__kernels *kernels;
    const struct lnstab__workspace *work;
    struct lnstab__workers *workers; /* NULL: the caller alone */
    int split_products;              /* workers do matrix products too */
    size_t grain;                    /* the least work of a part: see nn/split.h */
    const uint8_t *keep;             /* batch x tokens, NULL: all */
    size_t batch, tokens, rows;
    int record; /* add to parameter gradients and fill costates; 0 for a vjp */
};

/* Where a backward pass puts the gradient of a state: in its costate if it keeps one. */
static inline void *lnstab__gradient_of(const struct lnstab__run *run,
                                        const struct lnstab__state *state, void *scratch) {
    return run->record && state->grad ? state->grad : scratch;
}

#endif
