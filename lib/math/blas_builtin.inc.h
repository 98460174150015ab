/* Template: the built-in matrix product, for real. Blocks of op(B) are copied so that the inner loop
 * runs along rows of both op(B) and C, whichever operand is transposed. */

enum { BLOCK_K = 64, BLOCK_N = 64 };

static void scale_block(size_t m, size_t n, real beta, real *c, size_t ldc) {
    for (size_t i = 0; i < m; ++i) {
        for (size_t j = 0; j < n; ++j) {
            c[i * ldc + j] = beta == 0 ? 0 : beta * c[i * ldc + j];
        }
    }
}

static void pack(int transpose_b, size_t k, size_t n, const real *b, size_t ldb,
                 real packed[BLOCK_K][BLOCK_N]) {
    for (size_t p = 0; p < k; ++p) {
        for (size_t j = 0; j < n; ++j) {
            packed[p][j] = transpose_b ? b[j * ldb + p] : b[p * ldb + j];
        }
    }
}

static void multiply_block(int transpose_a, size_t m, size_t k, size_t n, real alpha, const real *a,
                           size_t lda, real packed[BLOCK_K][BLOCK_N], real *c, size_t ldc) {
    for (size_t i = 0; i < m; ++i) {
        real *restrict row = c + i * ldc;
        for (size_t p = 0; p < k; ++p) {
            real factor = alpha * (transpose_a ? a[p * lda + i] : a[i * lda + p]);
            for (size_t j = 0; j < n; ++j) {
                row[j] += factor * packed[p][j];
            }
        }
    }
}

static size_t at_most(size_t n, size_t limit) {
    return n < limit ? n : limit;
}

static void gemm(LNSTAB__GEMM_ARGUMENTS(real)) {
    real packed[BLOCK_K][BLOCK_N];
    scale_block(m, n, beta, c, ldc);
    for (size_t p = 0; p < k; p += BLOCK_K) {
        for (size_t j = 0; j < n; j += BLOCK_N) {
            size_t block_k = at_most(k - p, BLOCK_K), block_n = at_most(n - j, BLOCK_N);
            pack(transpose_b, block_k, block_n, transpose_b ? b + j * ldb + p : b + p * ldb + j,
                 ldb, packed);
            multiply_block(transpose_a, m, block_k, block_n, alpha,
                           transpose_a ? a + p * lda : a + p, lda, packed, c + j, ldc);
        }
    }
}
