/* Template: the built-in matrix product, for real. Blocks of op(B) are copied so that the inner loop
 * runs along rows of both op(B) and C, whichever operand is transposed. The copy is padded with zeros to
 * whole blocks: loops of a fixed length are what compilers vectorise at -O2. */

enum { BLOCK_K = 64, BLOCK_N = 64, AT_ONCE = 4 };

static void scale_block(size_t m, size_t n, real beta, real *c, size_t ldc) {
    for (size_t i = 0; i < m; ++i) {
        for (size_t j = 0; j < n; ++j) {
            c[i * ldc + j] = beta == 0 ? 0 : beta * c[i * ldc + j];
        }
    }
}

static void pack(int transpose_b, size_t k, size_t n, const real *b, size_t ldb,
                 real packed[BLOCK_K][BLOCK_N]) {
    memset(packed, 0, BLOCK_K * sizeof *packed);
    for (size_t p = 0; p < k; ++p) {
        for (size_t j = 0; j < n; ++j) {
            packed[p][j] = transpose_b ? b[j * ldb + p] : b[p * ldb + j];
        }
    }
}

/* sum += the next AT_ONCE rows of the block, each times its factor */
static void add_rows(const real factor[AT_ONCE], real packed[AT_ONCE][BLOCK_N],
                     real sum[restrict BLOCK_N]) {
    const real a = factor[0], b = factor[1], c = factor[2], d = factor[3];
    for (size_t j = 0; j < BLOCK_N; ++j) {
        sum[j] += a * packed[0][j] + b * packed[1][j] + c * packed[2][j] + d * packed[3][j];
    }
}

static void multiply_block(int transpose_a, size_t m, size_t k, size_t n, real alpha, const real *a,
                           size_t lda, real packed[BLOCK_K][BLOCK_N], real *c, size_t ldc) {
    for (size_t i = 0; i < m; ++i) {
        real sum[BLOCK_N] = {0};
        for (size_t p = 0; p < k; p += AT_ONCE) {
            real factor[AT_ONCE] = {0};
            for (size_t q = 0; q < AT_ONCE && p + q < k; ++q) {
                factor[q] = alpha * (transpose_a ? a[(p + q) * lda + i] : a[i * lda + p + q]);
            }
            add_rows(factor, packed + p, sum);
        }
        for (size_t j = 0; j < n; ++j) {
            c[i * ldc + j] += sum[j];
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
