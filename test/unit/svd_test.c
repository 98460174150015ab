/* math/svd.h: small dense matrices, of any rank and any scale. */

#include "math/svd.h"

#include "support/dense.h"
#include "support/main.h"
#include "unit/harness.h"

enum { MOST = 24 };

/* Row j of a is column j of A. */
static void check(const char *what, size_t n, const double *given) {
    double a[MOST * MOST], x[MOST * MOST], sigma[MOST], want[MOST];
    memcpy(a, given, n * n * sizeof *a);
    lnstab__svd(n, a, x, sigma);
    dense_singular_values(n, n, given, want);
    for (size_t i = 0; i < n; ++i) {
        assert_near(what, i, sigma[i], want[i], 1e-14 * want[0]);
        ck_assert(i == 0 || sigma[i] <= sigma[i - 1]);
        for (size_t j = 0; j < n; ++j) {
            assert_near("y", i, dot(n, a + i * n, a + j * n), i == j, 2e-14);
            assert_near("x", i, dot(n, x + i * n, x + j * n), i == j, 2e-14);
            double entry = 0; /* row i of given: column i of A; entry (j, i) of A */
            for (size_t k = 0; k < n; ++k) {
                entry += sigma[k] * a[k * n + j] * x[k * n + i];
            }
            assert_near(what, i * n + j, entry, given[i * n + j], 1e-13 * want[0]);
        }
    }
}

static void normals(uint32_t stream, size_t count, double *out) {
    lnstab__draw_normal((struct lnstab__stream){31, 0, stream}, 0, count, out);
}

START_TEST(test_random_matrices_of_every_size) {
    double a[MOST * MOST];
    for (size_t n = 1; n <= MOST; ++n) {
        normals((uint32_t)n, n * n, a);
        check("random", n, a);
    }
}
END_TEST

START_TEST(test_matrices_without_full_rank) {
    double a[MOST * MOST], left[MOST * 3], right[MOST * 3];
    for (size_t n = 4; n <= MOST; ++n) {
        normals(1, n * 3, left);
        normals(2, n * 3, right);
        for (size_t i = 0; i < n * n; ++i) {
            a[i] = 0;
            for (size_t k = 0; k < 3; ++k) {
                a[i] += left[i / n * 3 + k] * right[i % n * 3 + k];
            }
        }
        check("rank 3", n, a);
        memset(a, 0, sizeof a);
        check("zero", n, a);
        a[1] = 2;
        check("one entry", n, a);
    }
}
END_TEST

START_TEST(test_repeated_and_graded_values) {
    double a[MOST * MOST];
    for (size_t n = 2; n <= MOST; ++n) {
        memset(a, 0, sizeof a);
        for (size_t i = 0; i < n; ++i) {
            a[i * n + (i + 1) % n] = i % 2 ? 3 : -3;
        }
        check("a permutation", n, a);
        for (size_t i = 0; i < n * n; ++i) {
            a[i] = ldexp(1 + (double)(i % 5), -(int)(4 * (i / n)));
        }
        check("graded", n, a);
    }
}
END_TEST

START_TEST(test_any_scale) {
    double a[36], x[36], sigma[6], unscaled[6];
    for (int exponent = -1020; exponent <= 1020; exponent += 170) {
        normals(3, 36, a);
        lnstab__svd(6, a, x, unscaled);
        normals(3, 36, a);
        for (size_t i = 0; i < 36; ++i) {
            a[i] = ldexp(a[i], exponent);
        }
        lnstab__svd(6, a, x, sigma);
        for (size_t i = 0; i < 6; ++i) {
            assert_near("scaled", i, ldexp(sigma[i], -exponent), unscaled[i],
                        exponent < -1000 ? 1e-12 : 1e-15);
        }
    }
}
END_TEST

int main(void) {
    const TTest *const tests[] = {test_random_matrices_of_every_size,
                                  test_matrices_without_full_rank, test_repeated_and_graded_values,
                                  test_any_scale};
    return run_tests("svd", tests, sizeof tests / sizeof *tests);
}
