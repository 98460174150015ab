#ifndef LNSTAB_NN_POSITION_H
#define LNSTAB_NN_POSITION_H

#include "nn/run.h"

/* Absolute positions: row t of a table [max_tokens, width] is added to every token at t. The table is a
 * parameter (learned) or fixed (sinusoidal, without gradient); data NULL: no absolute positions. */
struct lnstab__position {
    size_t width;
    struct lnstab__state table;
};

/* Vaswani et al. 2017: entry 2i is sin(t/10000^(2i/width)), entry 2i + 1 the cosine of the same. */
void lnstab__position_fill_sinusoidal(const struct lnstab__position *p,
                                      const struct lnstab__kernels *kernels, size_t max_tokens);

/* x[row] += table[t], in place. */
void lnstab__position_forward(const struct lnstab__position *p, const struct lnstab__run *run,
                              void *x);

/* Adds every row of dx to the gradient of its position. */
void lnstab__position_backward(const struct lnstab__position *p, const struct lnstab__run *run,
                               const void *dx);

#endif
