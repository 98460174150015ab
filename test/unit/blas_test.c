/* math/blas.h and the kernels' gemm, whichever BLAS is behind them. */

#include "math/blas.h"

#include "support/main.h"
#include "unit/harness.h"

static const struct lnstab__kernels *const types[] = {&lnstab__kernels_f32, &lnstab__kernels_f64};

struct product {
    const struct lnstab__kernels *k;
    int transpose_a, transpose_b;
    size_t m, n, inner, lda, ldb, ldc;
    double alpha, beta;
};

/* Entry (i, j) of a matrix as op makes it. */
static double entry_of(const double *x, size_t ld, int transpose, size_t i, size_t j) {
    return transpose ? x[j * ld + i] : x[i * ld + j];
}

/* A sum of `inner` products, in whatever order and with or without fused multiply-adds, then alpha, beta
 * and their sum: at most inner + 4 roundings on the way of any term (Higham, section 3.1), doubled for
 * the terms of second order and for the rounding of alpha and beta to float. */
static void check_entry(const struct product *p, const double *a, const double *b, double before,
                        double after, size_t i, size_t j) {
    double sum = 0, size = 0;
    for (size_t l = 0; l < p->inner; ++l) {
        const double term =
            entry_of(a, p->lda, p->transpose_a, i, l) * entry_of(b, p->ldb, p->transpose_b, l, j);
        sum += term;
        size += fabs(term);
    }
    const double kept = p->beta == 0 ? 0 : p->beta * before;
    const double bound =
        2 * (double)(p->inner + 4) * unit_roundoff(p->k) * (fabs(p->alpha) * size + fabs(kept));
    require(fabs(after - (p->alpha * sum + kept)) <= bound,
            "size %zu, t%d%d %zux%zux%zu alpha %g beta %g: [%zu, %zu] %.17g, not %.17g", p->k->size,
            p->transpose_a, p->transpose_b, p->m, p->n, p->inner, p->alpha, p->beta, i, j, after,
            p->alpha * sum + kept);
}

static void check_product(const struct product *p) {
    struct pool pool = {.count = 0};
    const size_t size_a = (p->transpose_a ? p->inner : p->m) * p->lda;
    const size_t size_b = (p->transpose_b ? p->n : p->inner) * p->ldb, size_c = p->m * p->ldc;
    void *a = pool_draw(&pool, p->k, 1, size_a, 1), *b = pool_draw(&pool, p->k, 2, size_b, 1);
    void *c = pool_draw(&pool, p->k, 3, size_c, 1);
    if (p->beta == 0) {
        memset(c, 0xff, size_c * p->k->size); /* NaN */
    }
    void *old = pool_copy(&pool, c, size_c * p->k->size);
    p->k->gemm(p->transpose_a, p->transpose_b, p->m, p->n, p->inner, p->alpha, a, p->lda, b, p->ldb,
               p->beta, c, p->ldc);
    const double *x = pool_doubles(&pool, p->k, a, size_a),
                 *y = pool_doubles(&pool, p->k, b, size_b);
    const double *before = pool_doubles(&pool, p->k, old, size_c);
    const double *after = pool_doubles(&pool, p->k, c, size_c);
    for (size_t i = 0; i < p->m; ++i) {
        for (size_t j = 0; j < p->n; ++j) {
            check_entry(p, x, y, before[i * p->ldc + j], after[i * p->ldc + j], i, j);
        }
        const size_t behind = i * p->ldc + p->n;
        ck_assert_int_eq(memcmp(lnstab__at(p->k, c, behind), lnstab__at(p->k, old, behind),
                                (p->ldc - p->n) * p->k->size),
                         0);
    }
    pool_end(&pool);
}

/* One size in all four transposes, in one of the combinations of alpha and beta in turn. */
static void check_size(const struct lnstab__kernels *k, size_t m, size_t n, size_t inner,
                       size_t wider) {
    static const double factors[][2] = {{1, 0}, {1, 1}, {-0.75, 0.5}, {2, 0}, {0.3, -1.7}, {0, 2}};
    for (int t = 0; t < 4; ++t) {
        const int ta = t & 1, tb = t >> 1;
        const double *factor = factors[(m + 2 * n + 3 * inner + (size_t)t) % 6];
        const struct product p = {.k = k,
                                  .transpose_a = ta,
                                  .transpose_b = tb,
                                  .m = m,
                                  .n = n,
                                  .inner = inner,
                                  .lda = (ta ? m : inner) + wider,
                                  .ldb = (tb ? inner : n) + 2 * wider,
                                  .ldc = n + 3 * wider,
                                  .alpha = factor[0],
                                  .beta = factor[1]};
        check_product(&p);
    }
}

START_TEST(test_small_sizes) {
    for (size_t m = 1; m <= 9; ++m) {
        for (size_t n = 1; n <= 9; ++n) {
            for (size_t inner = 1; inner <= 9; ++inner) {
                check_size(types[_i], m, n, inner, (m + n + inner) % 3);
            }
        }
    }
}
END_TEST

/* Around the blocks of 64 of the built-in product, and two of them. */
START_TEST(test_block_sizes) {
    static const size_t sizes[][3] = {
        {64, 64, 64},    {63, 65, 64},  {65, 63, 65},  {65, 65, 65},  {127, 129, 65},
        {129, 127, 127}, {5, 129, 129}, {129, 3, 129}, {129, 129, 2}, {128, 128, 128},
        {1, 257, 1},     {1, 1, 257},   {257, 1, 64},  {63, 63, 191}, {127, 129, 129}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
        check_size(types[_i], sizes[i][0], sizes[i][1], sizes[i][2], i % 2 ? 5 : 0);
    }
}
END_TEST

/* With beta 0 every transpose must leave no NaN of C, at a size that BLAS libraries treat apart too. */
START_TEST(test_beta_0_does_not_read) {
    for (size_t size = 1; size <= 70; size += 23) {
        for (int t = 0; t < 4; ++t) {
            for (int zero = 0; zero < 2; ++zero) {
                const struct product p = {types[_i], t & 1, t >> 1, size,     size,
                                          size,      size,  size,   size + 1, zero ? 0.0 : 1.5,
                                          0.0};
                check_product(&p);
            }
        }
    }
}
END_TEST

/* The seam itself, with exact small integers. */
START_TEST(test_seam) {
    static const float a[] = {1, 2, 3, 4, 5, 6}, b[] = {1, -1, 2, 0, 3, 1};
    static const double wide_a[] = {1, 2, 3, 4, 5, 6}, wide_b[] = {1, -1, 2, 0, 3, 1};
    float c[4] = {10, 10, 10, 10};
    double wide_c[4] = {10, 10, 10, 10};
    lnstab__sgemm(0, 0, 2, 2, 3, 2.0f, a, 3, b, 2, 1.0f, c, 2);
    lnstab__dgemm(0, 0, 2, 2, 3, 2.0, wide_a, 3, wide_b, 2, 1.0, wide_c, 2);
    static const double wanted[] = {38, 14, 74, 14};
    for (int i = 0; i < 4; ++i) {
        ck_assert_double_eq((double)c[i], wanted[i]);
        ck_assert_double_eq(wide_c[i], wanted[i]);
    }
}
END_TEST

START_TEST(test_name_is_what_was_compiled) {
#ifdef LNSTAB_CBLAS
    ck_assert_str_eq(lnstab__blas_name(), "cblas");
#else
    ck_assert_str_eq(lnstab__blas_name(), "builtin");
#endif
}
END_TEST

int main(void) {
    Suite *suite = suite_create("blas");
    TCase *cases = tcase_create("blas");
    tcase_set_timeout(cases, 120);
    tcase_add_loop_test(cases, test_small_sizes, 0, 2);
    tcase_add_loop_test(cases, test_block_sizes, 0, 2);
    tcase_add_loop_test(cases, test_beta_0_does_not_read, 0, 2);
    tcase_add_test(cases, test_seam);
    tcase_add_test(cases, test_name_is_what_was_compiled);
    suite_add_tcase(suite, cases);
    return run_suite(suite);
}
