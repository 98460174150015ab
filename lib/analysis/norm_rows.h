#ifndef LNSTAB_ANALYSIS_NORM_ROWS_H
#define LNSTAB_ANALYSIS_NORM_ROWS_H

#include "base/memory.h"
#include "base/message.h"
#include "math/kernels.h"
#include "model/config.h"

/* A norm on a host's own rows:  | handle | gamma | bias | room for the column sums of gradients | */
struct lnstab_norm {
    struct lnstab__allocator allocator;
    struct lnstab__message message;
    const struct lnstab__kernels *kernels;
    struct lnstab__norm_map map; /* its gamma and bias are NULL until they are set */
    void *gamma, *bias;
    double *room; /* 2 width */
    int gamma_is_one;
};

/* What a configuration says of one norm. */
struct lnstab__norm_spec {
    struct lnstab__norm_map map;
    const struct lnstab__kernels *kernels;
};

struct lnstab__norm_spec lnstab__norm_spec_of(const lnstab_config *c);
size_t lnstab__norm_bytes(const struct lnstab__norm_spec *spec);
lnstab_norm *lnstab__norm_lay_out(const struct lnstab__norm_spec *spec, void *block);

/* gamma, bias: NULL for 1 and 0. */
void lnstab__norm_affine(lnstab_norm *n, const void *gamma, const void *bias);

/* Exact norms of the Jacobian of one row (doc/theory.md, Jacobians). The spectral one is for gamma 1. */
struct lnstab__jacobian_norms {
    double rstd, spectral, frobenius;
};

struct lnstab__jacobian_norms lnstab__norm_row_jacobian(const lnstab_norm *n, const void *row);

#endif
