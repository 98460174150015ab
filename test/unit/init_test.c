/* nn/init.h: how the entries of a tensor start. */

#include "nn/init.h"

#include "support/main.h"
#include "unit/harness.h"

static const struct lnstab__kernels *const types[] = {&lnstab__kernels_f32, &lnstab__kernels_f64};

START_TEST(test_schemes) {
    static const struct {
        const char *name;
        enum lnstab__distribution distribution;
        double variance; /* at fan_in 30, fan_out 20 */
    } wanted[] = {{"xavier_normal", LNSTAB__NORMAL, 2.0 / 50},
                  {"xavier_uniform", LNSTAB__UNIFORM, 2.0 / 50},
                  {"lecun_normal", LNSTAB__NORMAL, 1.0 / 30}};
    ck_assert_int_eq(lnstab__scheme_count(), 3);
    for (int i = 0; i < 3; ++i) {
        const struct lnstab__init init = lnstab__scheme_init(i, 30, 20);
        ck_assert_str_eq(lnstab__scheme_name(i), wanted[i].name);
        ck_assert_int_eq((int)init.distribution, (int)wanted[i].distribution);
        assert_near("std", (size_t)i, init.value, sqrt(wanted[i].variance),
                    2 * DBL_EPSILON * init.value);
    }
}
END_TEST

/* Part of what a seed means: they never change. */
START_TEST(test_kinds_are_fixed) {
    ck_assert_int_eq(LNSTAB__KIND_HOST, 0);
    ck_assert_int_eq(LNSTAB__KIND_EMBED_TOKEN, 1);
    ck_assert_int_eq(LNSTAB__KIND_HEAD_W, 2);
    ck_assert_int_eq(LNSTAB__KIND_W_Q, 3);
    ck_assert_int_eq(LNSTAB__KIND_W_K, 4);
    ck_assert_int_eq(LNSTAB__KIND_W_V, 5);
    ck_assert_int_eq(LNSTAB__KIND_W_O, 6);
    ck_assert_int_eq(LNSTAB__KIND_W_1, 7);
    ck_assert_int_eq(LNSTAB__KIND_W_2, 8);
}
END_TEST

/* n draws of standard deviation s: their mean is within 5 s/sqrt(n), their mean square within 5 s^2
 * sqrt((kurtosis - 1)/n) of s^2, but for 6 in 10^7 seeds; the seed is fixed. Kurtosis: 3 and 9/5. */
START_TEST(test_moments) {
    enum { N = 200000 };
    struct pool pool = {.count = 0};
    const struct lnstab__kernels *k = types[_i % 2];
    struct lnstab__init init = lnstab__scheme_init(_i / 2, 300, 100);
    const double s = init.value, kurtosis = init.distribution == LNSTAB__NORMAL ? 3 : 1.8;
    init.kind = LNSTAB__KIND_W_1;
    init.layer = 3;
    void *x = pool_array(&pool, k, N);
    lnstab__init_fill(&init, k, 1234, N, x);
    const double *values = pool_doubles(&pool, k, x, N);
    double mean = 0, square = 0, largest = 0;
    for (size_t i = 0; i < N; ++i) {
        mean += values[i] / N;
        square += values[i] * values[i] / N;
        largest = fmax(largest, fabs(values[i]));
    }
    assert_near("mean", 0, mean, 0, 5 * s / sqrt(N));
    assert_near("mean square", 0, square, s * s, 5 * s * s * sqrt((kurtosis - 1) / N));
    if (init.distribution == LNSTAB__UNIFORM) {
        ck_assert_double_le(largest, s * sqrt(3.0) * (1 + unit_roundoff(k)));
    }
    ck_assert_double_gt(largest, 1.7 * s); /* 1 - 0.98^200000 */
    pool_end(&pool);
}
END_TEST

/* Entry i is element i of the stream (seed, kind, layer), however many are drawn; float32 rounds it. */
START_TEST(test_entries_are_those_of_the_stream) {
    static const size_t counts[] = {0, 1, 3, 255, 256, 257, 600};
    const struct lnstab__init normal = {LNSTAB__NORMAL, -0.3, 6, 2},
                              uniform = {LNSTAB__UNIFORM, 0.3, 6, 2};
    double z[600], u[600];
    lnstab__draw_normal((struct lnstab__stream){99, 6, 2}, 0, 600, z);
    lnstab__draw_uniform((struct lnstab__stream){99, 6, 2}, 0, 600, u);
    for (size_t c = 0; c < sizeof counts / sizeof *counts; ++c) {
        double x[601];
        float y[601];
        x[counts[c]] = 77;
        lnstab__init_fill(&normal, types[1], 99, counts[c], x);
        lnstab__init_fill(&normal, types[0], 99, counts[c], y);
        for (size_t i = 0; i < counts[c]; ++i) {
            assert_near("normal", i, x[i], -0.3 * z[i], 0);
            assert_near("float32", i, (double)y[i], (double)(float)x[i], 0);
        }
        lnstab__init_fill(&uniform, types[1], 99, counts[c], x);
        for (size_t i = 0; i < counts[c]; ++i) {
            assert_near("uniform", i, x[i], 0.3 * sqrt(12.0) * (u[i] - 0.5), 4 * DBL_EPSILON);
        }
        assert_near("behind", counts[c], x[counts[c]], 77, 0);
    }
}
END_TEST

START_TEST(test_constants) {
    const struct lnstab__kernels *k = types[_i];
    struct pool pool = {.count = 0};
    void *x = memset(pool_array(&pool, k, 300), 0xff, 300 * k->size);
    const struct lnstab__init one = lnstab__init_constant(1.0), zero = lnstab__init_constant(0.0);
    lnstab__init_fill(&one, k, 5, 300, x);
    const double *ones = pool_doubles(&pool, k, x, 300);
    for (size_t i = 0; i < 300; ++i) {
        assert_near("one", i, ones[i], 1, 0);
    }
    lnstab__init_fill(&zero, k, 5, 300, x);
    ck_assert(bytes_are(x, 300 * k->size, 0)); /* +0, not -0 */
    pool_end(&pool);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("init");
    TCase *cases = tcase_create("init");
    tcase_add_test(cases, test_schemes);
    tcase_add_test(cases, test_kinds_are_fixed);
    tcase_add_loop_test(cases, test_moments, 0, 6);
    tcase_add_test(cases, test_entries_are_those_of_the_stream);
    tcase_add_loop_test(cases, test_constants, 0, 2);
    suite_add_tcase(suite, cases);
    return run_suite(suite);
}
