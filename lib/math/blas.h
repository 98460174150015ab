#ifndef LNSTAB_MATH_BLAS_H
#define LNSTAB_MATH_BLAS_H

#include <stddef.h>

/* The seam: the only matrix product the library asks of a BLAS. Row-major, op(A) is m x k, op(B) is
 * k x n, C = alpha op(A) op(B) + beta C. C is not read when beta is 0. Each of m, n, k, lda, ldb, ldc
 * is at most INT_MAX (the configuration sees to it) and at least 1.
 *     transpose_a: A is stored k x m       transpose_b: B is stored n x k */
#define LNSTAB__GEMM_ARGUMENTS(real)                                                               \
    int transpose_a, int transpose_b, size_t m, size_t n, size_t k, real alpha, const real *a,     \
        size_t lda, const real *b, size_t ldb, real beta, real *c, size_t ldc

void lnstab__sgemm(LNSTAB__GEMM_ARGUMENTS(float));
void lnstab__dgemm(LNSTAB__GEMM_ARGUMENTS(double));

/* "cblas" or "builtin". */
const char *lnstab__blas_name(void);

#endif
