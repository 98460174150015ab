#ifndef LNSTAB_MATH_LANCZOS_H
#define LNSTAB_MATH_LANCZOS_H

#include <stddef.h>
#include <stdint.h>

#include "math/basis.h"

/* The largest singular values of an operator that is known by its products only: Golub-Kahan-Lanczos
 * bidiagonalisation with full reorthogonalisation and thick restart (Baglama and Reichel 2005). theory.md,
 * Sensitivity. */

/* in <= out, both at most INT_MAX. */
struct lnstab__operator {
    size_t in, out;
    void (*apply)(void *self, const double *x, double *y);           /* y = A x   */
    void (*apply_transpose)(void *self, const double *y, double *x); /* x = A^T y */
    void *self;
};

/* KIND: of the stream that random vectors are from, beside those of nn/init.h. */
enum { LNSTAB__LANCZOS_RESTARTS = 300, LNSTAB__LANCZOS_KIND = 0x4C414E43 };

/* Room for a basis of so many vectors. */
struct lnstab__lanczos_room {
    size_t vectors;
    double *v;     /* [vectors + 1, in]: a vector a row */
    double *u;     /* [vectors, out] */
    double *b, *x; /* [vectors, vectors] */
    double *sigma; /* [vectors] */
    double *panel; /* [vectors, LNSTAB__BASIS_PANEL] */
};

struct lnstab__lanczos {
    size_t wanted;    /* k <= in; k < vectors, or vectors >= in */
    double tolerance; /* of residuals, over sigma_1 */
    int is_checked; /* begin anew beside what has converged, so that no copy of a multiple value is missed */
};

/* iterations: products with A and with A^T, in pairs. converged: how many of the leading residuals are
 * within the tolerance. */
struct lnstab__lanczos_result {
    int32_t iterations, converged;
};

/* sigma[k], descending; residual[k]: ||A^T u - sigma v||, measured, where A v = sigma u to rounding: within it
 * of sigma is a singular value. Rows 0..k-1 of v and u are left as the singular vectors. A product that is not
 * finite ends it: all NaN, none converged. */
struct lnstab__lanczos_result lnstab__lanczos(const struct lnstab__operator *a,
                                              const struct lnstab__lanczos_room *room,
                                              struct lnstab__lanczos how, double *sigma,
                                              double *residual);

#endif
