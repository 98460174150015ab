/* analysis/scene_told.c: what a model tells of itself. */

#include "analysis/scene.h"
#include "support/main.h"
#include "unit/measure_fixture.h"

enum { B = 2, T = 3, D = MEASURE_D, ROWS = B * T, LAST = 2 * MEASURE_L };

static double square(const double *x) {
    return dot(D, x, x);
}

static struct lnstab__claim_arguments told(lnstab_model *m, const char *wanted, double epsilon) {
    const struct lnstab__scene s = lnstab__scene_of(m);
    struct lnstab__claim_arguments a = {.epsilon = epsilon};
    lnstab__scene_tell(&s, wanted, &a);
    return a;
}

START_TEST(test_start_and_tokens) {
    lnstab_model *m = measure_model("placement=pre embed_norm=1");
    double most = 0;
    measure_forward(m, B, T);
    const double *x = data_of(m, "embed.out");
    for (int i = 0; i < ROWS; ++i) {
        most = fmax(most, sqrt(square(x + i * D) / D));
    }
    const struct lnstab__claim_arguments a = told(m, "sublayer start", 0);
    assert_same("start", 0, a.start, most);
    ck_assert_double_eq(a.tokens, T);
    lnstab_model_destroy(m);
}
END_TEST

START_TEST(test_boundedness) {
    lnstab_model *m = measure_model("placement=post");
    double mean = 0;
    int counts = 0;
    measure_forward(m, B, T);
    const double *x = state_of(m, LAST, "sum");
    for (int i = 0; i < ROWS; ++i) {
        mean += square(x + i * D) / ROWS;
    }
    for (double epsilon = 0; epsilon < 1; epsilon += 0.05) {
        double above = 0, excess = 0;
        for (int i = 0; i < ROWS; ++i) {
            above += square(x + i * D) > (1 + epsilon) * mean;
            excess += fmax(0, square(x + i * D) - (1 + epsilon) * mean);
        }
        const struct lnstab__claim_arguments a = told(m, "epsilon delta", epsilon);
        assert_near("delta", 0, a.delta, above / ROWS, 0);
        assert_near("tau", 0, a.tau, excess / ROWS / mean, 1e-13);
        counts += above > 0;
    }
    ck_assert_int_gt(counts, 3);
    lnstab_model_destroy(m);
}
END_TEST

/* Behind the last norm: N_res of the last sublayer, or the final norm. */
START_TEST(test_coherence) {
    static const char *const rows[][2] = {{"placement=post", "layer.2.ffn.sum"},
                                          {"placement=post final_norm=1", "layer.2.ffn.out"},
                                          {"placement=pre", "layer.2.ffn.out"}};
    lnstab_model *m = measure_model(rows[_i][0]);
    double pairs = 0, own = 0;
    measure_forward(m, 1, T);
    measure_backward(m, T);
    const double *p = grad_of(m, rows[_i][1]);
    for (int i = 0; i < T; ++i) {
        own += square(p + i * D);
        for (int j = 0; j < T; ++j) {
            pairs += i == j ? 0 : dot(D, p + i * D, p + j * D);
        }
    }
    assert_near("coherence", 0, told(m, "layer coherence", 0).coherence, pairs / (T - 1) / own,
                1e-13);
    measure_forward(m, 1, 1);
    measure_backward(m, 1);
    ck_assert_double_eq(told(m, "coherence", 0).coherence, 0);
    lnstab_model_destroy(m);
}
END_TEST

/* A state that is not finite is told as none. */
START_TEST(test_not_finite) {
    lnstab_model *m = measure_model("placement=pre");
    measure_forward(m, B, T);
    ((double *)data_of(m, "layer.2.ffn.sum"))[2 * D + 1] = NAN;
    ((double *)data_of(m, "embed.out"))[0] = NAN;
    ck_assert_double_nan(told(m, "epsilon", 0.1).delta);
    ck_assert_double_nan(told(m, "epsilon", 0.1).tau);
    ck_assert_double_nan(told(m, "start", 0).start);
    lnstab_model_destroy(m);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("scene_told");
    TCase *cases = tcase_create("scene_told");
    tcase_add_test(cases, test_start_and_tokens);
    tcase_add_test(cases, test_boundedness);
    tcase_add_loop_test(cases, test_coherence, 0, 3);
    tcase_add_test(cases, test_not_finite);
    suite_add_tcase(suite, cases);
    return run_suite(suite);
}
