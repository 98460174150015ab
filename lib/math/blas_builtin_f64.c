#include "math/blas.h"

#ifndef LNSTAB_CBLAS

#include <string.h>

#define real double
#include "math/blas_builtin.inc.h"

void lnstab__dgemm(LNSTAB__GEMM_ARGUMENTS(double)) {
    gemm(transpose_a, transpose_b, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}

#endif
