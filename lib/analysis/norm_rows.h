#ifndef LNSTAB_ANALYSIS_NORM_ROWS_H
#define LNSTAB_ANALYSIS_NORM_ROWS_H

#include "analysis/norm_spectrum.h"
#include "base/memory.h"
#include "base/message.h"
#include "math/kernels.h"
#include "model/config.h"

/* A norm on a host's own rows:  | handle | gamma | bias | poles | room | */
struct lnstab_norm {
    struct lnstab__allocator allocator;
    struct lnstab__message message;
    const struct lnstab__kernels *kernels;
    struct lnstab__norm_map
        map; /* its gamma is NULL where every entry is 1, its bias until it is set */
    struct lnstab__norm_spectrum spectrum;
    void *gamma, *bias;
    double *room; /* 2 width: the column sums of gradients, or a row in double */
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

/* The Jacobian of one row (doc/theory.md, Jacobians): its largest and its smallest nonzero singular
 * value (0 if there is none, or if it is not wanted), and its Frobenius norm. All are NaN where 1/s is. */
struct lnstab__jacobian_norms {
    double rstd, spectral, smallest, frobenius;
};

enum { LNSTAB__WANT_SPECTRAL = 1, LNSTAB__WANT_SMALLEST = 2 };

struct lnstab__jacobian_norms lnstab__norm_row_jacobian(const lnstab_norm *n, const void *row,
                                                        int wanted);

/* The Jacobian itself: J[width, width], J[i][j] = d out_i/d x_j. */
void lnstab__norm_row_dense(const lnstab_norm *n, const void *row, double *J);

/* Whether the row's entries and its 1/s are finite. */
int lnstab__norm_row_is_finite(const lnstab_norm *n, const void *row);

#endif
