/* analysis/attention_offsets.h: what biases of attention add, and who sees nothing. */

#include "analysis/attention_offsets.h"

#include "support/main.h"
#include "unit/bounds_bench.h"

enum { DIM = 2 }; /* of a head */

static const char *const designs[] = {"heads=2", "heads=2 kv_heads=1", "heads=2 out_proj=0",
                                      "heads=2 kv_heads=1 out_proj=0"};

START_TEST(test_offsets) {
    lnstab_model *m = bounds_model(designs[_i]);
    const struct lnstab__scene s = lnstab__scene_of(m);
    const struct lnstab__attention *f = &m->sublayers[0].of.attention;
    const int shared = strstr(designs[_i], "kv_heads=1") != NULL;
    const struct lnstab__offset_norms got = lnstab__attention_offsets(&s, f);
    const double *b = f->w_v.bias.data;
    double with = 0, values = 0, alone = 0;
    for (int i = 0; i < BENCH_D; ++i) {
        const double *o = f->w_o.weight.data, *b_o = f->w_o.bias.data;
        const double own = b_o ? b_o[i] : 0;
        double sum = 0;
        for (int j = 0; j < BENCH_D; ++j) {
            const double b_v = b ? b[shared ? j % DIM : j] : 0;
            sum += b_v * (o ? o[i * BENCH_D + j] : i == j);
        }
        with += (sum + own) * (sum + own);
        values += sum * sum;
        alone += own * own;
    }
    assert_near("with", 0, got.with, sqrt(with), 1e-14);
    assert_near("values", 0, got.values, sqrt(values), 1e-14);
    assert_near("alone", 0, got.alone, sqrt(alone), 1e-14);
    lnstab_model_destroy(m);
}
END_TEST

/* No biases: nothing. */
START_TEST(test_no_offsets) {
    lnstab_model *m = new_model("layers=1 width=4 heads=2 bias=0");
    const struct lnstab__scene s = lnstab__scene_of(m);
    lnstab__model_init(m, 3);
    const struct lnstab__offset_norms got =
        lnstab__attention_offsets(&s, &m->sublayers[0].of.attention);
    ck_assert_double_eq(got.with, 0);
    ck_assert_double_eq(got.values, 0);
    ck_assert_double_eq(got.alone, 0);
    lnstab_model_destroy(m);
}
END_TEST

START_TEST(test_blind_queries) {
    static const struct {
        const char *words;
        uint8_t keep[BENCH_T];
        int blind;
    } rows[] = {{"causal=0", {0, 0, 1}, 0},
                {"causal=0", {0, 0, 0}, 1},
                {"causal=1", {1, 0, 0}, 0},
                {"causal=1", {0, 1, 1}, 1},
                {"causal=1", {1, 1, 1}, 0}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        const double x[BENCH_N] = {1, 2};
        lnstab_model *m = bounds_model(rows[i].words);
        const struct lnstab__scene s = lnstab__scene_of(m);
        ck_assert_int_eq(lnstab__has_blind_query(&s), 0);
        ck_good(lnstab_model_message(m),
                lnstab_model_forward_embedded(m, 1, BENCH_T, x, rows[i].keep));
        ck_assert_int_eq(lnstab__has_blind_query(&s), rows[i].blind);
        lnstab_model_destroy(m);
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("attention_offsets");
    TCase *cases = tcase_create("attention_offsets");
    tcase_add_loop_test(cases, test_offsets, 0, sizeof designs / sizeof *designs);
    tcase_add_test(cases, test_no_offsets);
    tcase_add_test(cases, test_blind_queries);
    suite_add_tcase(suite, cases);
    return run_suite(suite);
}
