#ifndef LNSTAB_NN_LINEAR_H
#define LNSTAB_NN_LINEAR_H

#include "nn/run.h"

/* y = x W^T + b, W stored [out, in]. bias.data is NULL for a map without bias. */
struct lnstab__linear {
    size_t in, out;
    struct lnstab__state weight, bias;
};

void lnstab__linear_forward(const struct lnstab__linear *f, const struct lnstab__run *run,
                            const void *x, void *y);

/* If the run records, dW += dy^T x and db += the column sums of dy. */
void lnstab__linear_add_gradients(const struct lnstab__linear *f, const struct lnstab__run *run,
                                  const void *x, const void *dy);

/* dx = keep dx + dy W, keep 0 or 1 */
void lnstab__linear_vjp(const struct lnstab__linear *f, const struct lnstab__run *run,
                        const void *dy, double keep, void *dx);

/* Both. */
void lnstab__linear_backward(const struct lnstab__linear *f, const struct lnstab__run *run,
                             const void *x, const void *dy, double keep, void *dx);

/* jv = v W^T */
void lnstab__linear_jvp(const struct lnstab__linear *f, const struct lnstab__run *run,
                        const void *v, void *jv);

#endif
