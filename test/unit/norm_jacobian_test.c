/* math/norm_jacobian.inc.h: what a norm's Jacobian is measured by. */

#include "support/main.h"
#include "unit/harness.h"
#include "unit/norm_fixture.h"

static const struct lnstab__kernels *const f64 = &lnstab__kernels_f64;

static struct lnstab__norm_map map_of(const struct norm_case *c, const void *gamma) {
    return (struct lnstab__norm_map){.kind = c->rms ? LNSTAB__NORM_RMS : LNSTAB__NORM_LAYER,
                                     .width = c->d,
                                     .eps = c->eps,
                                     .scale = 1,
                                     .gamma = gamma};
}

static double frobenius(const struct lnstab__row_jacobian *j) {
    return j->rstd * sqrt(j->projected + j->k * j->k * j->along);
}

/* Judged by max|gamma| rstd, as test/parity/README.md says; beyond width 2, and where the row is not made to be
 * hard, also relative to itself: 1e-11 leaves 4 d roundings for d = 256. */
static void check_float64(const struct norm_case *c) {
    struct lnstab__row_jacobian j;
    const struct lnstab__norm_map map = map_of(c, c->gamma);
    f64->norm_jacobian(&map, c->x, &j);
    assert_near(c->name, 0, j.rstd, c->norms[0], 1e-12 * c->norms[0]);
    assert_near(c->name, 0, j.k, c->eps * c->norms[0] * c->norms[0], 2e-12 * j.k);
    assert_near(c->name, 2, frobenius(&j), c->norms[2],
                1e-12 * largest_of(c->d, c->gamma) * c->norms[0]);
    if (c->d > 2 && !strstr(c->name, "hard-")) {
        assert_near(c->name, 2, frobenius(&j), c->norms[2], 1e-11 * c->norms[2]);
    }
}

START_TEST(test_rstd_and_frobenius_agree_with_the_oracle) {
    for_each_norm_case(check_float64);
}
END_TEST

/* The Jacobian itself, column by column through the jvp: its squares sum to the square of the norm. */
static void check_against_jvp(const struct norm_case *c) {
    struct lnstab__row_jacobian j;
    const struct lnstab__norm_map map = map_of(c, c->gamma);
    const ptrdiff_t ld = (ptrdiff_t)c->d;
    double sum = 0, v[NORM_FIXTURE_WIDTH] = {0}, column[NORM_FIXTURE_WIDTH];
    for (size_t i = 0; i < c->d; ++i) {
        v[i] = 1;
        f64->norm_jvp(&map, 1, c->x, ld, v, ld, column, ld);
        v[i] = 0;
        sum += dot(c->d, column, column);
    }
    f64->norm_jacobian(&map, c->x, &j);
    /* each of the d^2 entries carries 1e-14 of max|gamma| rstd */
    assert_near(c->name, 0, frobenius(&j), sqrt(sum),
                1e-13 * (double)c->d * largest_of(c->d, c->gamma) * j.rstd);
}

START_TEST(test_frobenius_is_that_of_the_jvp) {
    for_each_norm_case(check_against_jvp);
}
END_TEST

/* Narrow rows are measured in double: on one row the types agree to the last digits. */
static void check_narrow(const struct lnstab__kernels *k, const struct norm_case *c) {
    double x[NORM_FIXTURE_WIDTH], gamma[NORM_FIXTURE_WIDTH];
    double wide_x[NORM_FIXTURE_WIDTH], wide_gamma[NORM_FIXTURE_WIDTH];
    struct lnstab__row_jacobian j, wide;
    k->from_double(c->d, c->x, x);
    k->to_double(c->d, x, wide_x);
    k->affine->from_double(c->d, c->gamma, gamma);
    k->affine->to_double(c->d, gamma, wide_gamma);
    const struct lnstab__norm_map map = map_of(c, gamma), wide_map = map_of(c, wide_gamma);
    k->norm_jacobian(&map, x, &j);
    f64->norm_jacobian(&wide_map, wide_x, &wide);
    if (!isfinite(wide.rstd) || !isfinite(wide.square)) { /* beyond float16, or constant now */
        ck_assert(!isfinite(j.rstd) || !isfinite(j.square));
        return;
    }
    assert_near(c->name, 0, j.rstd, wide.rstd, 1e-13 * wide.rstd);
    assert_near(c->name, 1, j.projected, wide.projected,
                1e-12 * (double)c->d * largest_of(c->d, wide_gamma) * largest_of(c->d, wide_gamma));
}

static void check_each_narrow(const struct norm_case *c) {
    check_narrow(&lnstab__kernels_f32, c);
    check_narrow(&lnstab__kernels_bf16, c);
    check_narrow(&lnstab__kernels_f16, c);
}

START_TEST(test_narrow_types) {
    for_each_norm_case(check_each_narrow);
}
END_TEST

/* With eps 0 the row's scale only divides: s^2 ||J||^2 stays, rstd is 2^-p of what it was. */
START_TEST(test_rows_whose_squares_leave_the_range) {
    static const int powers[] = {-1000, -664, 664, 1000};
    enum { D = 6 };
    double x[D];
    struct lnstab__row_jacobian plain, j;
    const struct lnstab__norm_map map = {
        .kind = _i ? LNSTAB__NORM_RMS : LNSTAB__NORM_LAYER, .width = D, .scale = 1};
    lnstab__draw_normal((struct lnstab__stream){4, 0, 1}, 0, D, x);
    f64->norm_jacobian(&map, x, &plain);
    for (size_t p = 0; p < 4; ++p) {
        double scaled[D];
        for (int i = 0; i < D; ++i) {
            scaled[i] = ldexp(x[i], powers[p]);
        }
        f64->norm_jacobian(&map, scaled, &j);
        assert_near("rstd", p, ldexp(j.rstd, powers[p]), plain.rstd, 1e-14 * plain.rstd);
        assert_near("projected", p, j.projected, plain.projected, 1e-14 * D);
        assert_near("along", p, j.along, plain.along, 1e-14 * D);
        assert_near("k", p, j.k, 0, 0);
    }
}
END_TEST

/* A constant row has no direction u: J = (1/s) P. Xiong's case C2: 1/s = 316.22776601683796. */
START_TEST(test_constant_row) {
    double x[256];
    struct lnstab__row_jacobian j;
    const struct lnstab__norm_map map = {
        .kind = LNSTAB__NORM_LAYER, .width = 256, .eps = 1e-5, .scale = 1};
    for (int i = 0; i < 256; ++i) {
        x[i] = 1234;
    }
    f64->norm_jacobian(&map, x, &j);
    assert_near("rstd", 0, j.rstd, 316.22776601683796, 1e-13 * 316);
    assert_near("projected", 0, j.projected, 255, 1e-12 * 255);
    assert_near("along", 0, j.along, 0, 0);
    assert_near("k", 0, j.k, 1, 1e-14);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("norm_jacobian");
    TCase *cases = tcase_create("norm_jacobian");
    tcase_add_test(cases, test_rstd_and_frobenius_agree_with_the_oracle);
    tcase_add_test(cases, test_frobenius_is_that_of_the_jvp);
    tcase_add_test(cases, test_narrow_types);
    tcase_add_loop_test(cases, test_rows_whose_squares_leave_the_range, 0, 2);
    tcase_add_test(cases, test_constant_row);
    suite_add_tcase(suite, cases);
    return run_suite(suite);
}
