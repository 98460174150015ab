#ifndef LNSTAB_NN_EMBEDDING_H
#define LNSTAB_NN_EMBEDDING_H

#include <stdint.h>

#include "nn/run.h"

/* A table [vocab, width] that is read by token, each row times scale. Tokens are in range: who calls has checked. */
struct lnstab__embedding {
    size_t width;
    double scale;
    struct lnstab__state table;
};

void lnstab__embedding_forward(const struct lnstab__embedding *e, const struct lnstab__run *run,
                               const int32_t *tokens, void *x);

/* Adds each row of dx to the row of the table's gradient that it came from. */
void lnstab__embedding_backward(const struct lnstab__embedding *e, const struct lnstab__run *run,
                                const int32_t *tokens, const void *dx);

#endif
