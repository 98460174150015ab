/* analysis/lipschitz_claims.c: Jacobians, against those that jvp makes column by column. */

#include "analysis/stream_bounds.h"
#include "support/dense.h"
#include "support/main.h"
#include "unit/bounds_bench.h"

static const char *const designs[] = {"krylov=8 placement=peri", "krylov=16 placement=post",
                                      "krylov=8 placement=pre heads=1 causal=1"};

/* ||d to/d from||_2. */
static double jacobian_norm(lnstab_model *m, int from, int to) {
    double transposed[BENCH_N * BENCH_N], sigma[BENCH_N];
    for (int i = 0; i < BENCH_N; ++i) {
        double v[BENCH_N] = {0};
        v[i] = 1;
        lnstab__model_jvp(m, from, to, v, transposed + i * BENCH_N);
    }
    dense_singular_values(BENCH_N, BENCH_N, transposed, sigma);
    return sigma[0];
}

START_TEST(test_both_sides) {
    lnstab_model *m = bounds_model(designs[_i]);
    const struct lnstab__scene s = lnstab__scene_of(m);
    for (int k = 1; k <= 5; ++k) {
        char at[40];
        snprintf(at, sizeof at, "sublayer=%d", k);
        const struct sides local = sides_of(m, "local.jacobian", at);
        const struct sides product = sides_of(m, "product.jacobian", at);
        ck_assert_double_eq(local.stated, lnstab__sublayer_lipschitz(&s, k, LNSTAB__AT_THE_POINT));
        ck_assert_double_eq(product.stated, lnstab__stream_lipschitz(&s, k, LNSTAB__AT_THE_POINT));
        ck_assert_double_eq_tol(local.measured, jacobian_norm(m, k - 1, k), 1e-9 * local.measured);
        ck_assert_double_eq_tol(product.measured, jacobian_norm(m, 0, k), 1e-9 * product.measured);
    }
    lnstab_model_destroy(m);
}
END_TEST

START_TEST(test_what_is_needed) {
    static const struct {
        const char *words, *said;
    } rows[] = {{"", "needs room for Lanczos vectors: set krylov=16"},
                {"krylov=4 gated=1", "gated must be 0"},
                {"krylov=4 qk_norm=full", "qk_norm must be none"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        lnstab_model *m = bounds_model(rows[i].words);
        assert_no_sides(m, "local.jacobian", "sublayer=1", rows[i].said);
        assert_no_sides(m, "product.jacobian", "sublayer=5", rows[i].said);
        lnstab_model_destroy(m);
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("lipschitz_claims");
    TCase *cases = tcase_create("lipschitz_claims");
    tcase_add_loop_test(cases, test_both_sides, 0, sizeof designs / sizeof *designs);
    tcase_add_test(cases, test_what_is_needed);
    suite_add_tcase(suite, cases);
    return run_suite(suite);
}
