/* math/lanczos.h: against dense singular values, where it is easy and where it is not. */

#include "math/lanczos.h"

#include "support/dense.h"
#include "support/main.h"
#include "unit/harness.h"

/* A dense matrix as an operator, in units of its own. */
struct dense {
    size_t rows, columns;
    const double *a;
    double factor;
    int products, bad_from; /* from this product on, if it is not 0, an entry is NaN */
};

static void apply(void *self, const double *x, double *y) {
    struct dense *d = self;
    ++d->products;
    for (size_t i = 0; i < d->rows; ++i) {
        y[i] = d->factor * dot(d->columns, d->a + i * d->columns, x);
    }
    y[0] = d->bad_from && d->products >= d->bad_from ? NAN : y[0];
}

static void apply_transpose(void *self, const double *y, double *x) {
    struct dense *d = self;
    ++d->products;
    for (size_t j = 0; j < d->columns; ++j) {
        double sum = 0;
        for (size_t i = 0; i < d->rows; ++i) {
            sum += d->a[i * d->columns + j] * y[i];
        }
        x[j] = d->factor * sum;
    }
    x[0] = d->bad_from && d->products >= d->bad_from ? NAN : x[0];
}

static struct lnstab__lanczos_room room_of(struct pool *p, size_t vectors, const struct dense *d) {
    const size_t size = sizeof(double);
    return (struct lnstab__lanczos_room){.vectors = vectors,
                                         .v = pool_take(p, (vectors + 1) * d->columns * size),
                                         .u = pool_take(p, vectors * d->rows * size),
                                         .b = pool_take(p, vectors * vectors * size),
                                         .x = pool_take(p, vectors * vectors * size),
                                         .sigma = pool_take(p, vectors * size),
                                         .panel =
                                             pool_take(p, vectors * LNSTAB__BASIS_PANEL * size)};
}

enum { MOST = 60 };

struct answer {
    double sigma[MOST], residual[MOST];
    struct lnstab__lanczos_result of;
};

static struct answer solve(struct pool *p, struct dense *d, size_t vectors, size_t k,
                           double tolerance) {
    const struct lnstab__operator a = {d->columns, d->rows, apply, apply_transpose, d};
    const struct lnstab__lanczos_room room = room_of(p, vectors, d);
    struct answer got;
    d->products = 0;
    got.of = lnstab__lanczos(&a, &room, (struct lnstab__lanczos){k, tolerance, 1}, got.sigma,
                             got.residual);
    ck_assert_int_eq(got.of.iterations, (d->products + 1) / 2);
    for (size_t i = 0; i < k && d->bad_from == 0; ++i) {
        for (size_t j = 0; j < k; ++j) { /* singular vectors */
            assert_near("v", i, dot(d->columns, room.v + i * d->columns, room.v + j * d->columns),
                        i == j, 1e-13);
            assert_near("u", i, dot(d->rows, room.u + i * d->rows, room.u + j * d->rows), i == j,
                        1e-13);
        }
    }
    return got;
}

/* k values of d with each basis, against the dense ones. */
static void check(const char *what, struct dense d, size_t k, size_t vectors, double bound) {
    struct pool p = {0};
    double *want = pool_take(&p, d.columns * sizeof *want);
    dense_singular_values(d.rows, d.columns, d.a, want);
    const struct answer got = solve(&p, &d, vectors, k, 1e-10);
    require(got.of.converged == (int32_t)k, "%s: %d of %zu converged after %d", what,
            (int)got.of.converged, k, (int)got.of.iterations);
    for (size_t i = 0; i < k; ++i) {
        assert_near(what, i, got.sigma[i], d.factor * want[i], bound * d.factor * want[0]);
        require(got.residual[i] <= 1e-10 * got.sigma[0], "%s: residual %g", what, got.residual[i]);
    }
    pool_end(&p);
}

static struct dense random_matrix(struct pool *p, size_t rows, size_t columns) {
    return (struct dense){rows, columns, pool_normals(p, 5, rows * columns, 1), 1, 0, 0};
}

/* U diag(values) V^T with U, V of reflections. */
static struct dense with_values(struct pool *p, size_t n, const double *values) {
    double *u = pool_normals(p, 6, n, 1), *v = pool_normals(p, 7, n, 1);
    double *a = pool_take(p, n * n * sizeof *a);
    const double uu = dot(n, u, u), vv = dot(n, v, v);
    for (size_t i = 0; i < n; ++i) {
        for (size_t j = 0; j < n; ++j) {
            double sum = 0;
            for (size_t k = 0; k < n; ++k) {
                sum += ((i == k) - 2 * u[i] * u[k] / uu) * values[k] *
                       ((j == k) - 2 * v[j] * v[k] / vv);
            }
            a[i * n + j] = sum;
        }
    }
    return (struct dense){n, n, a, 1, 0, 0};
}

START_TEST(test_random_matrices) {
    struct pool p = {0};
    check("one", random_matrix(&p, 1, 1), 1, 4, 1e-13);
    check("square", random_matrix(&p, 120, 120), 5, 20, 1e-13);
    check("a small basis", random_matrix(&p, 120, 120), 1, 3, 1e-13);
    check("tall", random_matrix(&p, 90, 40), 10, 20, 1e-13);
    check("all", random_matrix(&p, 40, 40), 40, 40, 1e-13);
    check("all, tall", random_matrix(&p, 50, 30), 30, 64, 1e-13);
    pool_end(&p);
}
END_TEST

/* A Krylov space has one copy of each value. */
START_TEST(test_repeated_values) {
    struct pool p = {0};
    double values[MOST];
    for (size_t i = 0; i < MOST; ++i) {
        values[i] = 1;
    }
    check("orthogonal", with_values(&p, MOST, values), 6, 16, 1e-13);
    check("orthogonal, all", with_values(&p, 30, values), 30, 30, 1e-13);
    for (size_t i = 0; i < MOST; ++i) {
        values[i] = i < 3 ? 1 : 0.9 * exp(-0.1 * (double)i);
    }
    check("three times the largest", with_values(&p, MOST, values), 6, 24, 1e-13);
    check("three of them", with_values(&p, MOST, values), 3, 8, 1e-13);
    check("two of them", with_values(&p, MOST, values), 2, 8, 1e-13);
    for (size_t i = 0; i < MOST; ++i) {
        values[i] = 1 + (double)(i / 2 % 5);
    }
    check("twelve times each", with_values(&p, MOST, values), 20, 40, 1e-13);
    pool_end(&p);
}
END_TEST

START_TEST(test_low_rank) {
    struct pool p = {0};
    double values[MOST] = {0};
    check("zero", with_values(&p, MOST, values), 4, 12, 0);
    check("zero, all", with_values(&p, 20, values), 20, 20, 0);
    values[0] = 2;
    check("rank 1", with_values(&p, MOST, values), 4, 12, 1e-14);
    for (size_t i = 0; i < 5; ++i) {
        values[i] = 1 / (double)(i + 1);
    }
    check("rank 5", with_values(&p, MOST, values), 8, 17, 1e-14);
    check("rank 5, all", with_values(&p, 30, values), 30, 32, 1e-14);
    for (size_t i = 0; i < MOST; ++i) {
        values[i] = pow(10, -(double)i);
    }
    check("graded", with_values(&p, MOST, values), 10, 20, 1e-14);
    pool_end(&p);
}
END_TEST

/* Neither symmetric nor normal: a shift, whose powers vanish. */
START_TEST(test_nilpotent) {
    struct pool p = {0};
    double *a = pool_take(&p, 30 * 30 * sizeof *a);
    for (size_t i = 0; i + 1 < 30; ++i) {
        a[i * 30 + i + 1] = 1 + (double)i;
    }
    check("shift", (struct dense){30, 30, a, 1, 0, 0}, 30, 30, 1e-13);
    check("shift, some", (struct dense){30, 30, a, 1, 0, 0}, 4, 12, 1e-13);
    pool_end(&p);
}
END_TEST

START_TEST(test_any_scale) {
    struct pool p = {0};
    struct dense d = random_matrix(&p, 50, 50);
    for (int power = -300; power <= 300; power += 100) {
        d.factor = pow(10, power);
        check("scaled", d, 4, 12, 1e-13);
    }
    pool_end(&p);
}
END_TEST

START_TEST(test_what_is_not_finite_ends_it) {
    for (int from = 1; from <= 40; ++from) {
        struct pool p = {0};
        struct dense d = random_matrix(&p, 40, 40);
        d.bad_from = from;
        const struct answer got = solve(&p, &d, 10, 3, 1e-10);
        ck_assert_int_eq(got.of.converged, 0);
        for (int i = 0; i < 3; ++i) {
            ck_assert(isnan(got.sigma[i]) && isnan(got.residual[i]));
        }
        ck_assert_int_le(d.products, from + 1);
        pool_end(&p);
    }
}
END_TEST

/* Where values cannot be told apart in the restarts there are, the count says so. */
START_TEST(test_it_ends_without_converging) {
    struct pool p = {0};
    enum { N = 400 };
    double *a = pool_take(&p, N * N * sizeof *a);
    for (size_t i = 0; i < N; ++i) {
        a[i * N + i] = 1 + 1e-9 * (double)i * (double)i;
    }
    struct dense d = {N, N, a, 1, 0, 0};
    const struct answer got = solve(&p, &d, 2, 1, 1e-14);
    ck_assert_int_eq(got.of.converged, 0);
    ck_assert_double_gt(got.residual[0], 1e-14);
    ck_assert_double_gt(got.sigma[0], 1);
    ck_assert_int_le(got.of.iterations, 2 + 2 * (LNSTAB__LANCZOS_RESTARTS + 1));
    pool_end(&p);
}
END_TEST

int main(void) {
    const TTest *const tests[] = {test_random_matrices,
                                  test_repeated_values,
                                  test_low_rank,
                                  test_nilpotent,
                                  test_any_scale,
                                  test_what_is_not_finite_ends_it,
                                  test_it_ends_without_converging};
    return run_tests("lanczos", tests, sizeof tests / sizeof *tests);
}
