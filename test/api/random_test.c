/* Random numbers that a host may draw, and that nothing but the seed decides the weights. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/handles.h"
#include "support/main.h"

START_TEST(test_a_stream_does_not_depend_on_how_it_is_cut) {
    double all[100], part[100], other[100];
    ck_assert_int_eq(lnstab_random_normal(1, 2, 5, 100, all), LNSTAB_OK);
    for (size_t cut = 0; cut <= 9; ++cut) {
        ck_assert_int_eq(lnstab_random_normal(1, 2, 5, cut, part), LNSTAB_OK);
        ck_assert_int_eq(lnstab_random_normal(1, 2, 5 + cut, 100 - cut, part + cut), LNSTAB_OK);
        ck_assert_mem_eq(all, part, sizeof all);
    }
    lnstab_random_normal(2, 2, 5, 100, other);
    ck_assert_mem_ne(all, other, sizeof all);
    lnstab_random_normal(1, 3, 5, 100, other);
    ck_assert_mem_ne(all, other, sizeof all);
    lnstab_random_normal((uint64_t)1 << 32 | 1, 2, 5, 100, other);
    ck_assert_mem_ne(all, other, sizeof all);
}
END_TEST

START_TEST(test_draws_have_the_promised_range) {
    enum { MANY = 200000 };
    double *x = malloc(MANY * sizeof *x), sum = 0, squares = 0;
    ck_assert_int_eq(lnstab_random_uniform(1, 1, 0, MANY, x), LNSTAB_OK);
    for (int i = 0; i < MANY; ++i) {
        ck_assert(x[i] > 0 && x[i] < 1);
        sum += x[i];
    }
    ck_assert_double_le(fabs(sum / MANY - 0.5), 5 * sqrt(1.0 / 12 / MANY));
    ck_assert_int_eq(lnstab_random_normal(1, 1, 0, MANY, x), LNSTAB_OK);
    for (int i = 0, sum_is_reset = 0; i < MANY; ++i) {
        sum = sum_is_reset ? sum + x[i] : x[i];
        sum_is_reset = 1;
        squares += x[i] * x[i];
        ck_assert_double_lt(fabs(x[i]), 6.77);
    }
    ck_assert_double_le(fabs(sum / MANY), 5 * sqrt(1.0 / MANY));
    ck_assert_double_le(fabs(squares / MANY - 1), 5 * sqrt(2.0 / MANY));
    free(x);
}
END_TEST

START_TEST(test_bad_draws_are_errors) {
    double x;
    ck_assert_int_eq(lnstab_random_normal(1, 1, 0, 1, NULL), LNSTAB_ERROR_ARGUMENT);
    ck_assert_int_eq(lnstab_random_uniform(1, 1, 0, 1, NULL), LNSTAB_ERROR_ARGUMENT);
    ck_assert_int_eq(lnstab_random_normal(1, 1, UINT64_MAX, 2, &x), LNSTAB_ERROR_ARGUMENT);
    ck_assert_int_eq(lnstab_random_normal(1, 1, 0, 0, NULL), LNSTAB_OK);
    ck_assert_int_eq(lnstab_random_uniform(1, 1, UINT64_MAX, 0, NULL), LNSTAB_OK);
}
END_TEST

/* The same seed gives the same weights whatever the placement, the depth, and the sizes of a batch are. */
START_TEST(test_weights_depend_on_the_seed_alone) {
    static const char *const models[] = {
        "placement=post layers=2",       "placement=peri layers=5 norm=rms",
        "placement=pre layers=3 bias=0", "placement=mix layers=2 max_batch=3 keep_states=2",
        "layers=2 input=embedded",
    };
    double first[64 * 16];
    for (size_t i = 0; i < sizeof models / sizeof *models; ++i) {
        char text[128];
        snprintf(text, sizeof text, "width=16 ffn_width=64 vocab=5 dtype=float64 %s", models[i]);
        lnstab_model *m = new_model(text);
        ck_good(lnstab_model_message(m), lnstab_model_init(m, 77));
        if (i == 0) {
            memcpy(first, data_of(m, "layer.2.ffn.w_1"), sizeof first);
        }
        ck_assert_mem_eq(first, data_of(m, "layer.2.ffn.w_1"), sizeof first);
        ck_good(lnstab_model_message(m), lnstab_model_init(m, 78));
        ck_assert_mem_ne(first, data_of(m, "layer.2.ffn.w_1"), sizeof first);
        ck_good(lnstab_model_message(m), lnstab_model_init(m, 77));
        ck_assert_mem_eq(first, data_of(m, "layer.2.ffn.w_1"), sizeof first);
        lnstab_model_destroy(m);
    }
}
END_TEST

/* No stream of a host is a stream of weights. */
START_TEST(test_host_streams_are_not_weights) {
    lnstab_model *m = new_model("layers=2 width=16 ffn_width=16 vocab=5 dtype=float64");
    ck_good(lnstab_model_message(m), lnstab_model_init(m, 77));
    const double *w = data_of(m, "layer.2.ffn.w_1");
    for (uint32_t stream = 0; stream < 64; ++stream) {
        double x[2];
        lnstab_random_normal(77, stream, 0, 2, x);
        ck_assert_double_gt(fabs(x[0] / x[1] - w[0] / w[1]), 1e-12);
    }
    lnstab_model_destroy(m);
}
END_TEST

int main(void) {
    const TTest *const tests[] = {
        test_a_stream_does_not_depend_on_how_it_is_cut,
        test_draws_have_the_promised_range,
        test_bad_draws_are_errors,
        test_weights_depend_on_the_seed_alone,
        test_host_streams_are_not_weights,
    };
    return run_tests("random", tests, sizeof tests / sizeof *tests);
}
