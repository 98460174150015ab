#ifndef LNSTAB_MATH_GRAM_NORM_H
#define LNSTAB_MATH_GRAM_NORM_H

#include "math/lanczos.h"

/* Proved bounds of a spectral norm, lower <= ||A||_2 <= upper: theory.md, Sensitivity. */
struct lnstab__norm_bounds {
    double lower, upper;
};

/* gamma_n = n u/(1 - n u), u = 2^-53: the relative error of n roundings, which are never that many here. */
double lnstab__rounding(double n);

/* Of A with n rows, from its Gram matrix A A^T as computed: sums of so many products, in any order, of
 * entries of at most 1 in size, the largest of at least 1/4 or all 0. room: for vectors of n entries. factor:
 * n x n, overwritten; may not be gram. A few n^3/3 multiplications. */
struct lnstab__norm_bounds lnstab__gram_norm(size_t n, size_t products, const double *gram,
                                             const struct lnstab__lanczos_room *room,
                                             double *factor);

#endif
