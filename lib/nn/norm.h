#ifndef LNSTAB_NN_NORM_H
#define LNSTAB_NN_NORM_H

#include "nn/run.h"

/* One normalisation of the residual equation; kind NONE where the placement has none. scale is kappa
 * for N_in and 1 elsewhere. */
struct lnstab__norm_op {
    enum lnstab__norm_kind kind;
    size_t width;
    size_t
        pieces; /* each row of the run is so many rows of the norm: heads, for a norm on each head */
    double eps, scale;
    struct lnstab__state gamma, bias;
};

/* A norm that is absent and does not scale hands its argument through. */
int lnstab__norm_is_identity(const struct lnstab__norm_op *n);

/* Each returns the array that holds the result: out, or the argument itself where the norm is the
 * identity. x is the norm's input in the last forward pass. out may be dy or v. */
const void *lnstab__norm_op_forward(const struct lnstab__norm_op *n, const struct lnstab__run *run,
                                    const void *x, void *out);
const void *lnstab__norm_op_backward(const struct lnstab__norm_op *n, const struct lnstab__run *run,
                                     const void *x, const void *dy, void *out);
const void *lnstab__norm_op_jvp(const struct lnstab__norm_op *n, const struct lnstab__run *run,
                                const void *x, const void *v, void *out);

#endif
