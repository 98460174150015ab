/* math/gram_norm.h: that the bounds hold of norms known exactly or in long double, and are close. */

#include "math/gram_norm.h"

#include "math/blas.h"
#include "support/dense.h"
#include "support/main.h"
#include "unit/harness.h"

static struct lnstab__lanczos_room room_of(struct pool *p, size_t vectors, size_t n) {
    const size_t size = sizeof(double);
    return (struct lnstab__lanczos_room){.vectors = vectors,
                                         .v = pool_take(p, (vectors + 1) * n * size),
                                         .u = pool_take(p, vectors * n * size),
                                         .b = pool_take(p, vectors * vectors * size),
                                         .x = pool_take(p, vectors * vectors * size),
                                         .sigma = pool_take(p, vectors * size),
                                         .panel =
                                             pool_take(p, vectors * LNSTAB__BASIS_PANEL * size)};
}

static struct lnstab__norm_bounds bounds_of(size_t n, size_t terms, const double *a,
                                            size_t vectors) {
    struct pool p = {0};
    double *gram = pool_take(&p, n * n * sizeof *gram),
           *factor = pool_take(&p, n * n * sizeof *gram);
    const struct lnstab__lanczos_room room = room_of(&p, vectors, n);
    lnstab__dgemm(0, 1, n, n, terms, 1, a, terms, a, terms, 0, gram, n);
    const struct lnstab__norm_bounds b = lnstab__gram_norm(n, terms, gram, &room, factor);
    pool_end(&p);
    return b;
}

static void check(const char *what, size_t n, size_t terms, const double *a, double norm) {
    for (size_t vectors = 2; vectors <= 32; vectors *= 4) {
        const struct lnstab__norm_bounds b = bounds_of(n, terms, a, vectors);
        require(b.lower <= norm && norm <= b.upper, "%s: %.17g not in %.17g..%.17g", what, norm,
                b.lower, b.upper);
        require(b.upper - b.lower <= 1e-8 * norm, "%s: %.17g..%.17g is wide", what, b.lower,
                b.upper);
    }
}

START_TEST(test_bounds_hold_and_are_close) {
    static const size_t sizes[][2] = {{1, 1}, {1, 50}, {7, 7}, {20, 90}, {65, 65}};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; ++s) {
        const size_t n = sizes[s][0], terms = sizes[s][1];
        struct pool p = {0};
        double *sigma = pool_take(&p, n * sizeof *sigma);
        double *a = pool_normals(&p, (uint32_t)s, n * terms, 0.2);
        dense_singular_values(n, terms, a, sigma);
        check("random", n, terms, a, sigma[0]);
        pool_end(&p);
    }
}
END_TEST

/* Norms that are known without rounding, and where the bound has nothing to spare but its allowance. */
START_TEST(test_exact_norms) {
    enum { N = 96 };
    struct pool p = {0};
    double *a = pool_take(&p, N * N * sizeof *a);
    for (size_t i = 0; i < N * N; ++i) {
        a[i] = 1;
    }
    check("ones", N, N, a, N);
    memset(a, 0, N * N * sizeof *a);
    for (size_t i = 0; i < N; ++i) {
        a[i * N + (i + 5) % N] = i % 3 ? 1 : -1;
    }
    check("a permutation", N, N, a, 1);
    for (size_t i = 0; i < N; ++i) {
        a[i * N + (i + 5) % N] = 1 - (double)i * 0x1p-30; /* as close as it gets */
    }
    check("a cluster", N, N, a, 1);
    memset(a, 0, N * N * sizeof *a);
    const struct lnstab__norm_bounds zero = bounds_of(N, N, a, 8);
    ck_assert(zero.lower == 0 && zero.upper == 0);
    pool_end(&p);
}
END_TEST

/* A Gram matrix that is off by all that its roundings may be: the bound is still one. */
START_TEST(test_the_allowance_is_for_the_worst_rounding) {
    enum { N = 40, TERMS = 1 << 28 };
    struct pool p = {0};
    double *gram = pool_take(&p, N * N * sizeof *gram),
           *factor = pool_take(&p, N * N * sizeof *gram);
    const struct lnstab__lanczos_room room = room_of(&p, 8, N);
    for (size_t i = 0; i < N * N;
         ++i) { /* of N rows of ones: each entry too small by gamma_terms */
        gram[i] = TERMS * (1 - lnstab__rounding(TERMS));
    }
    const struct lnstab__norm_bounds b = lnstab__gram_norm(N, TERMS, gram, &room, factor);
    ck_assert_double_ge(b.upper, sqrt((double)N * TERMS));
    for (size_t i = 0; i < N * N; ++i) {
        gram[i] = TERMS * (1 + lnstab__rounding(TERMS));
    }
    const struct lnstab__norm_bounds c = lnstab__gram_norm(N, TERMS, gram, &room, factor);
    ck_assert_double_le(c.lower, sqrt((double)N * TERMS));
    pool_end(&p);
}
END_TEST

START_TEST(test_rounding_is_gamma) {
    ck_assert_double_eq(lnstab__rounding(0), 0);
    ck_assert_double_eq(lnstab__rounding(0x1p52), 1);
    assert_near("gamma", 0, lnstab__rounding(1000), 1000 * 0x1p-53, 1e-24);
    ck_assert_double_gt(lnstab__rounding(1000), 1000 * 0x1p-53);
}
END_TEST

int main(void) {
    const TTest *const tests[] = {test_bounds_hold_and_are_close, test_exact_norms,
                                  test_the_allowance_is_for_the_worst_rounding,
                                  test_rounding_is_gamma};
    return run_tests("gram_norm", tests, sizeof tests / sizeof *tests);
}
