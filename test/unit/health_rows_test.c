/* math/health_rows.inc.h: what is wrong with an array, counted. */

#include "support/main.h"
#include "unit/harness.h"

static const struct lnstab__kernels *const types[] = {&lnstab__kernels_f32, &lnstab__kernels_f64};

static struct lnstab__health health_of(const struct lnstab__kernels *k, size_t n,
                                       const double *values) {
    struct lnstab__health h = {0};
    struct pool pool = {.count = 0};
    void *x = pool_array(&pool, k, n);
    k->from_double(n, values, x);
    k->health(n, x, &h);
    pool_end(&pool);
    return h;
}

START_TEST(test_finite) {
    static const double x[] = {3, -4, 0, 12};
    const struct lnstab__health h = health_of(types[_i], 4, x);
    ck_assert_double_eq(h.sum_of_squares, 169);
    ck_assert_double_eq(h.largest, 12);
    ck_assert_int_eq(h.nonfinite, 0);
    ck_assert_int_eq(h.subnormal, 0);
}
END_TEST

START_TEST(test_nonfinite) {
    static const double x[] = {1, NAN, -INFINITY, 2, INFINITY, -NAN};
    const struct lnstab__health h = health_of(types[_i], 6, x);
    ck_assert_int_eq(h.nonfinite, 4);
    ck_assert_double_eq(h.largest, 2);
    ck_assert(isnan(h.sum_of_squares));
    const struct lnstab__health infinite = health_of(types[_i], 1, x + 4);
    ck_assert_double_eq(infinite.sum_of_squares, INFINITY);
}
END_TEST

/* Each type has its own smallest normal number: what is subnormal in float32 is not in float64. */
START_TEST(test_subnormal_is_by_type) {
    static const double x[] = {
        (double)FLT_MIN, (double)FLT_MIN / 2, -(double)FLT_MIN / 4, (double)FLT_TRUE_MIN, 0, -0.0,
        (double)FLT_MAX, -(double)FLT_MIN};
    static const double y[] = {DBL_MIN, DBL_MIN / 2, -DBL_TRUE_MIN, 0, DBL_MAX, -DBL_MIN};
    ck_assert_int_eq(health_of(&lnstab__kernels_f32, 8, x).subnormal, 3);
    ck_assert_int_eq(health_of(&lnstab__kernels_f64, 8, x).subnormal, 0);
    ck_assert_int_eq(health_of(&lnstab__kernels_f64, 6, y).subnormal, 2);
    ck_assert_int_eq(health_of(&lnstab__kernels_f32, 8, x).nonfinite, 0);
    ck_assert_int_eq(health_of(&lnstab__kernels_f64, 6, y).nonfinite, 0);
    ck_assert_double_eq(health_of(&lnstab__kernels_f64, 6, y).largest, DBL_MAX);
    ck_assert_double_eq(health_of(&lnstab__kernels_f32, 8, x).largest, (double)FLT_MAX);
}
END_TEST

START_TEST(test_counts_are_added_to) {
    static const double x[] = {NAN, 5};
    struct lnstab__health h = {.largest = 9, .sum_of_squares = 1, .nonfinite = 10, .subnormal = 20};
    lnstab__kernels_f64.health(1, x + 1, &h);
    ck_assert_double_eq(h.largest, 9);
    ck_assert_double_eq(h.sum_of_squares, 26);
    lnstab__kernels_f64.health(2, x, &h);
    ck_assert_int_eq(h.nonfinite, 11);
    ck_assert_int_eq(h.subnormal, 20);
    lnstab__kernels_f64.health(0, x, &h);
    ck_assert_int_eq(h.nonfinite, 11);
}
END_TEST

/* float32 sums in double: 2^24 + 1 ones would stop counting in float. */
START_TEST(test_sums_are_double) {
    enum { N = 300000 };
    struct pool pool = {.count = 0};
    float *x = pool_take(&pool, N * sizeof *x);
    struct lnstab__health h = {0};
    for (int i = 0; i < N; ++i) {
        x[i] = 16;
    }
    lnstab__kernels_f32.health(N, x, &h);
    ck_assert_double_eq(h.sum_of_squares, 256.0 * N);
    pool_end(&pool);
}
END_TEST

START_TEST(test_scaled_square) {
    static const double big[] = {3e200, -4e200, INFINITY, NAN}, small[] = {3e-200, 4e-200};
    assert_near("big", 0, lnstab__kernels_f64.scaled_square(4, 0x1p-665, big),
                (double)(25e400L * 0x1p-1330L), 1e-14);
    assert_near("small", 0, lnstab__kernels_f64.scaled_square(2, 0x1p663, small),
                (double)(25e-400L * 0x1p1326L), 1e-14);
    static const float x[] = {3, 4, (float)INFINITY};
    assert_near("float32", 0, lnstab__kernels_f32.scaled_square(3, 0.5, x), 6.25, 0);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("health_rows");
    TCase *cases = tcase_create("health_rows");
    tcase_add_loop_test(cases, test_finite, 0, 2);
    tcase_add_loop_test(cases, test_nonfinite, 0, 2);
    tcase_add_test(cases, test_subnormal_is_by_type);
    tcase_add_test(cases, test_counts_are_added_to);
    tcase_add_test(cases, test_sums_are_double);
    tcase_add_test(cases, test_scaled_square);
    suite_add_tcase(suite, cases);
    return run_suite(suite);
}
