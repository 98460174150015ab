/* math/cholesky.h: the factor, and that a pivot that is not positive ends it. */

#include "math/cholesky.h"

#include "support/main.h"
#include "unit/harness.h"

/* X X^T + shift, across the edges of blocks. */
static double *gram(struct pool *p, size_t n, size_t rank, double shift) {
    const double *x = pool_normals(p, (uint32_t)n, n * rank, 1);
    double *c = pool_take(p, n * n * sizeof *c);
    for (size_t i = 0; i < n; ++i) {
        for (size_t j = 0; j < n; ++j) {
            c[i * n + j] = dot(rank, x + i * rank, x + j * rank) + (i == j ? shift : 0);
        }
    }
    return c;
}

static const size_t sizes[] = {1, 2, 5, 63, 64, 65, 130};

START_TEST(test_the_factor_squares_to_the_matrix) {
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; ++s) {
        const size_t n = sizes[s];
        struct pool p = {0};
        double *c = gram(&p, n, n, 0.5), *l = pool_copy(&p, c, n * n * sizeof *c);
        for (size_t i = 0; i < n * n; ++i) {
            l[i] = i % n > i / n ? NAN : l[i]; /* what is above the diagonal is not read */
        }
        ck_assert_int_eq(lnstab__cholesky(n, l), 1);
        for (size_t i = 0; i < n; ++i) {
            for (size_t j = 0; j <= i; ++j) {
                assert_near("entry", i * n + j, dot(j + 1, l + i * n, l + j * n), c[i * n + j],
                            (double)(n + 2) * 0x1p-53 * sqrt(c[i * n + i] * c[j * n + j]));
            }
        }
        pool_end(&p);
    }
}
END_TEST

START_TEST(test_an_eigenvalue_below_zero_is_found) {
    for (size_t s = 1; s < sizeof sizes / sizeof *sizes; ++s) {
        const size_t n = sizes[s];
        struct pool p = {0};
        ck_assert_int_eq(lnstab__cholesky(n, gram(&p, n, n - 1, 1e-9)), 1);
        ck_assert_int_eq(lnstab__cholesky(n, gram(&p, n, n - 1, -1e-9)), 0);
        double *c = gram(&p, n, n, 1);
        c[n * n - 1] = NAN;
        ck_assert_int_eq(lnstab__cholesky(n, c), 0);
        pool_end(&p);
    }
    double zero = 0;
    ck_assert_int_eq(lnstab__cholesky(1, &zero), 0);
}
END_TEST

int main(void) {
    const TTest *const tests[] = {test_the_factor_squares_to_the_matrix,
                                  test_an_eigenvalue_below_zero_is_found};
    return run_tests("cholesky", tests, sizeof tests / sizeof *tests);
}
