#ifndef LNSTAB_MATH_SVD_H
#define LNSTAB_MATH_SVD_H

#include <stddef.h>

/* A = sum over i of sigma_i y_i x_i^T, sigma descending, A of n x n entries, by one-sided Jacobi rotations.
 *     a[n, n]   row j is column j of A; becomes y_j
 *     x[n, n]   row j becomes x_j
 * Both sets are orthonormal whatever the rank. A is finite; what is below 1e-154 max|A| counts as 0. O(n^3) a
 * sweep, of which there are some ten. */
void lnstab__svd(size_t n, double *a, double *x, double *sigma);

#endif
