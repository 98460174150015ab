#ifndef LNSTAB_TEST_DENSE_H
#define LNSTAB_TEST_DENSE_H

#include <stddef.h>

/* The singular values of a dense matrix a[rows, columns], descending, the smaller side of them: one-sided
 * Jacobi rotations in long double. An oracle that shares nothing with the library. */
void dense_singular_values(size_t rows, size_t columns, const double *a, double *sigma);

#endif
