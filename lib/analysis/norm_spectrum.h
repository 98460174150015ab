#ifndef LNSTAB_ANALYSIS_NORM_SPECTRUM_H
#define LNSTAB_ANALYSIS_NORM_SPECTRUM_H

#include "math/kernels.h"

/* The singular values of the Jacobian J = diag(gamma) (1/s) (P - (1 - k) u u^T) of a norm's row, from the
 * eigenvalues mu_1 >= mu_2 >= ... > 0 of P diag(gamma)^2 P, which do not depend on the row:
 * theory.md, section 13. Sizes of gamma are in units of max|gamma|, and below 1e-60 they are taken for
 * 1e-60: no singular value moves by more than that. */
struct lnstab__norm_spectrum {
    size_t width, rank; /* rank: of diag(gamma) P, the number of mu */
    int centred;        /* P = I - 11^T/d, not I */
    size_t zeros;       /* of gamma */
    double unit;        /* max|gamma| */
    double *poles;      /* [width], gamma^2 */
    double first[2];    /* mu_1, mu_2, 0 where there is none */
    double last[2];     /* mu_rank, mu_(rank - 1) */
    size_t largest[3];  /* entries of the largest poles, descending, */
    size_t smallest[3]; /* and of the smallest, ascending, those at 0 counted once */
    size_t tops, bottoms;
};

/* gamma: width doubles, in poles, where they are overwritten. One that is not finite makes every
 * singular value NaN. O(width). */
void lnstab__norm_spectrum_prepare(struct lnstab__norm_spectrum *g);

/* A row: x in a unit of its own, square = ||y||^2 in that unit's square, rest = 1 - k^2, rank the number
 * of nonzero singular values of J. */
struct lnstab__spectrum_row {
    const double *x;
    double square, k, rest;
    size_t rank;
};

/* x: the row in double; it is put into the unit where it is. */
struct lnstab__spectrum_row lnstab__norm_spectrum_row(const struct lnstab__norm_spectrum *g,
                                                      const struct lnstab__row_jacobian *j,
                                                      double eps, double *x);

/* s sigma_j(J)/unit, for j = 1, 2, and the last two of the rank; 0 for j = 0 and beyond the rank. */
double lnstab__norm_singular_value(const struct lnstab__norm_spectrum *g,
                                   const struct lnstab__spectrum_row *row, size_t j);

#endif
