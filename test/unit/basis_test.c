/* math/basis.h: what is left of a vector beside a basis, and bases turned in place. */

#include "math/basis.h"

#include "support/main.h"
#include "unit/harness.h"

enum { N = 150, COUNT = 9 };

/* Orthonormal rows, made by the function that is tested. */
static double *basis(struct pool *p) {
    double *q = pool_normals(p, 1, COUNT * N, 1), h[COUNT], room[COUNT];
    for (size_t i = 0; i < COUNT; ++i) {
        const double left = lnstab__basis_orthogonalise(q, i, N, q + i * N, h, room);
        lnstab__vector_scale(N, 1 / left, q + i * N);
    }
    return q;
}

START_TEST(test_what_is_left_is_orthogonal) {
    struct pool p = {0};
    const double *q = basis(&p);
    for (double size = 1; size > 1e-14; size /= 16) { /* of what is beside the basis */
        double *w = pool_normals(&p, 2, N, size), room[COUNT], h[COUNT] = {0};
        for (size_t i = 0; i < COUNT * N; ++i) {
            w[i % N] += q[i] * (double)(i / N);
        }
        const double *before = pool_copy(&p, w, N * sizeof *w);
        const double left = lnstab__basis_orthogonalise(q, COUNT, N, w, h, room);
        assert_near("norm", 0, lnstab__vector_norm(N, w), left, 1e-15 * left);
        for (size_t i = 0; i < COUNT; ++i) {
            assert_near("share", i, h[i], dot(N, q + i * N, before), 1e-13);
            assert_near("orthogonal", i, dot(N, q + i * N, w), 0, 2e-15 * left);
        }
    }
    pool_end(&p);
}
END_TEST

START_TEST(test_rounding_is_nothing) {
    struct pool p = {0};
    const double *q = basis(&p);
    double w[N] = {0}, room[COUNT], h[COUNT] = {0};
    ck_assert_double_eq(lnstab__basis_orthogonalise(q, COUNT, N, w, h, room), 0);
    ck_assert_double_eq(lnstab__basis_orthogonalise(q, 0, N, w, h, room), 0);
    memcpy(w, q, sizeof w);
    ck_assert_double_le(lnstab__basis_orthogonalise(q, COUNT, N, w, h, room), 1e-15);
    assert_near("share", 0, h[0], 1, 1e-14);
    pool_end(&p);
}
END_TEST

START_TEST(test_a_basis_is_turned_in_place) {
    struct pool p = {0};
    double *q = basis(&p), *turn = pool_normals(&p, 3, COUNT * COUNT, 1);
    double *room = pool_take(&p, COUNT * LNSTAB__BASIS_PANEL * sizeof *room);
    const double *before = pool_copy(&p, q, COUNT * N * sizeof *q);
    lnstab__basis_rotate(turn, 4, COUNT, N, q, room);
    for (size_t i = 0; i < COUNT; ++i) {
        for (size_t j = 0; j < N; ++j) {
            double want = i < 4 ? 0 : before[i * N + j];
            for (size_t k = 0; i < 4 && k < COUNT; ++k) {
                want += turn[i * COUNT + k] * before[k * N + j];
            }
            assert_near("entry", i * N + j, q[i * N + j], want, 1e-14);
        }
    }
    pool_end(&p);
}
END_TEST

START_TEST(test_norms_of_any_size) {
    static const double units[] = {1, 0x1p1000, 0x1p600, 0x1p-600, 0x1p-1040};
    const double x[] = {3, -4, 12}, zero[] = {0, -0.0};
    for (size_t i = 0; i < sizeof units / sizeof *units; ++i) {
        const double scaled[] = {x[0] * units[i], x[1] * units[i], x[2] * units[i]};
        ck_assert_double_eq(lnstab__vector_norm(3, scaled), 13 * units[i]);
    }
    const double one_nan[] = {INFINITY, NAN, 1}, infinite[] = {1, -INFINITY};
    ck_assert_double_eq(lnstab__vector_norm(2, zero), 0);
    ck_assert_double_nan(lnstab__vector_norm(3, one_nan));
    ck_assert_double_eq(lnstab__vector_norm(2, infinite), INFINITY);
}
END_TEST

int main(void) {
    const TTest *const tests[] = {test_what_is_left_is_orthogonal, test_rounding_is_nothing,
                                  test_a_basis_is_turned_in_place, test_norms_of_any_size};
    return run_tests("basis", tests, sizeof tests / sizeof *tests);
}
