#include "math/blas.h"

#ifdef LNSTAB_CBLAS

#include <cblas.h>

void lnstab__sgemm(LNSTAB__GEMM_ARGUMENTS(float)) {
    cblas_sgemm(CblasRowMajor, transpose_a ? CblasTrans : CblasNoTrans,
                transpose_b ? CblasTrans : CblasNoTrans, (int)m, (int)n, (int)k, alpha, a, (int)lda,
                b, (int)ldb, beta, c, (int)ldc);
}

void lnstab__dgemm(LNSTAB__GEMM_ARGUMENTS(double)) {
    cblas_dgemm(CblasRowMajor, transpose_a ? CblasTrans : CblasNoTrans,
                transpose_b ? CblasTrans : CblasNoTrans, (int)m, (int)n, (int)k, alpha, a, (int)lda,
                b, (int)ldb, beta, c, (int)ldc);
}

#endif
