#ifndef LNSTAB_MATH_CHOLESKY_H
#define LNSTAB_MATH_CHOLESKY_H

#include <stddef.h>

/* C = L L^T, n x n, read from the lower triangle, which L overwrites; above it is left undefined. 1 if it ran to
 * its end, 0 if a pivot was not positive. n^3/3 multiplications. */
int lnstab__cholesky(size_t n, double *c);

#endif
