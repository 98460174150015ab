/* analysis/xiong_claims.c: what Xiong 2020 states, with what is derived of it. */

#include "analysis/claims.h"

#include "support/main.h"
#include "unit/claim_fixture.h"
#include "unit/measure_fixture.h"

/* lemma2 placement L rho l lower upper: the lemma is of post and pre */
static void check_lemma_2(const struct fixture *f) {
    char arguments[80];
    double value = -77;
    lnstab_config *c = config_of(f, 64);
    snprintf(arguments, sizeof arguments, "layer=%s", f->words[4]);
    if (strcmp(f->words[1], "post") == 0 || strcmp(f->words[1], "pre") == 0) {
        assert_theory(f, predict(c, "lemma2.lower", arguments), fixture_number(f, 5));
        assert_theory(f, predict(c, "lemma2.upper", arguments), fixture_number(f, 6));
    } else {
        ck_assert_int_eq(lnstab__claim_predict(c, "lemma2.lower", arguments, &value),
                         LNSTAB_ERROR_UNAVAILABLE);
        ck_assert_int_eq(lnstab__claim_predict(c, "lemma2.upper", arguments, &value),
                         LNSTAB_ERROR_UNAVAILABLE);
        ck_assert_double_eq(value, -77);
    }
    lnstab_config_destroy(c);
}

/* theorem1 placement L rho d n printed rigorous */
static void check_theorem_1(const struct fixture *f) {
    char arguments[80];
    lnstab_config *c = config_of(f, fixture_integer(f, 4));
    snprintf(arguments, sizeof arguments, "tokens=%s", f->words[5]);
    assert_theory(f, predict(c, "theorem1.printed", arguments), fixture_number(f, 6));
    assert_theory(f, predict(c, "theorem1.rigorous", arguments), fixture_number(f, 7));
    ck_good(lnstab_config_message(c),
            lnstab_config_set(c, "norm=rms")); /* the printed form as it stands */
    assert_theory(f, predict(c, "theorem1.rigorous", arguments), fixture_number(f, 6));
    lnstab_config_destroy(c);
}

/* probability published|repaired eps delta_or_tau n value */
static void check_probability(const struct fixture *f) {
    char arguments[120];
    lnstab_config *c = new_config("");
    const int published = strcmp(f->words[1], "published") == 0;
    snprintf(arguments, sizeof arguments,
             published ? "epsilon=%s delta=%s" : "epsilon=%s tau=%s tokens=%s", f->words[2],
             f->words[3], f->words[4]);
    const double value =
        predict(c, published ? "theorem1.probability_published" : "theorem1.probability_repaired",
                arguments);
    /* a difference of numbers of order 1 */
    assert_near("probability", 0, value, fixture_number(f, 5), 1e-12 * fmax(1, fabs(value)));
    lnstab_config_destroy(c);
}

START_TEST(test_predictions_agree_with_the_oracle) {
    for_each_line("lemma2", 200, check_lemma_2);
    for_each_line("theorem1", 120, check_theorem_1);
    for_each_line("probability", 11, check_probability);
}
END_TEST

/* The paper's own numbers: (0.1, 0.125) gives 0.765. */
START_TEST(test_published_probability) {
    lnstab_config *c = new_config("");
    assert_near("probability", 0,
                predict(c, "theorem1.probability_published", "epsilon=0.1 delta=0.125"), 0.765,
                1e-15);
    lnstab_config_destroy(c);
}
END_TEST

enum { D = MEASURE_D, H = MEASURE_H, T = MEASURE_T };

#define XIONG "heads=1 bias=0 out_proj=0 eps=0 "

static const char *const settings[] = {XIONG "placement=post", XIONG "placement=pre"};

START_TEST(test_lemma_2_of_a_model) {
    lnstab_model *m = measure_model(settings[_i]);
    measure_forward(m, 2, T);
    for (int l = 1; l <= MEASURE_L; ++l) {
        const double *x = state_of(m, 2 * l, "sum");
        const double mean = dot(2 * T * D, x, x) / (2 * T * D);
        assert_same("lower", (size_t)l, measure(m, "lemma2.lower", "layer=%d", l).measured, mean);
        assert_same("upper", (size_t)l, measure(m, "lemma2.upper", "layer=%d", l).measured, mean);
    }
    lnstab_model_destroy(m);
}
END_TEST

/* ||dL_i/dW_2,L||_F of token i's own loss: the backward of that loss alone. */
static double own_gradient(lnstab_model *m, int token) {
    int32_t targets[T];
    double loss;
    for (int i = 0; i < T; ++i) {
        targets[i] = i == token ? 3 * i + 1 : (int32_t)m->spec.ignore_index;
    }
    ck_good(lnstab_model_message(m), lnstab_model_zero_grads(m));
    ck_good(lnstab_model_message(m), lnstab_model_loss(m, targets, &loss, NULL));
    ck_good(lnstab_model_message(m), lnstab_model_backward(m, NULL));
    return array_norm(costate_of(m, 2 * MEASURE_L, "w_2"), LNSTAB_FLOAT64, D * H);
}

START_TEST(test_theorem_1_of_a_model) {
    lnstab_model *m = measure_model(settings[_i]);
    double own[T], most = 0, top = 0;
    measure_forward(m, 1, T);
    for (int i = 0; i < T; ++i) {
        own[i] = own_gradient(m, i);
        most = fmax(most, own[i]);
        top = fmax(top, array_norm(grad_of(m, "output"), LNSTAB_FLOAT64, T * D));
    }
    measure_backward(m, T);
    assert_same("printed", 0, measure(m, "theorem1.printed", "").measured, most / top);
    assert_same("rigorous", 0, measure(m, "theorem1.rigorous", "").measured, most / top);
    ck_assert_double_eq(measure(m, "theorem1.probability_repaired", "epsilon=0.1").measured, 1);
    ck_assert_double_eq(measure(m, "theorem1.probability_published", "epsilon=0.1").measured, 1);
    lnstab_model_destroy(m);
}
END_TEST

/* Hidden vectors made so large by hand that tokens exceed the bound: the first, all, none. */
START_TEST(test_shares_within_the_bound) {
    lnstab_model *m = measure_model(settings[_i]);
    measure_forward(m, 1, T);
    measure_backward(m, T);
    double *h = data_of(m, "layer.2.ffn.hidden");
    for (int large = 0; large <= T; ++large) {
        const struct sides one = measure(m, "theorem1.probability_published", "epsilon=0.1");
        const struct sides all = measure(m, "theorem1.probability_repaired", "epsilon=0.1");
        assert_near("share", (size_t)large, one.measured, (T - large) / (double)T, 1e-15);
        ck_assert_double_eq(all.measured, large == 0);
        for (int e = 0; large < T && e < H; ++e) {
            h[large * H + e] = 1e6;
        }
    }
    h[0] = NAN;
    ck_assert_double_nan(measure(m, "theorem1.probability_published", "epsilon=0.1").measured);
    ck_assert_double_nan(measure(m, "theorem1.probability_repaired", "epsilon=0.1").measured);
    lnstab_model_destroy(m);
}
END_TEST

/* The probability is a number of epsilon and delta everywhere, its event one of the theorem's setting. */
START_TEST(test_outside_the_setting) {
    lnstab_model *m = measure_model("placement=peri");
    measure_forward(m, 1, T);
    measure_backward(m, T);
    const struct sides s = measure(m, "theorem1.probability_published", "epsilon=0.1");
    ck_assert(isfinite(s.stated));
    ck_assert_double_nan(s.measured);
    lnstab_model_destroy(m);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("xiong_claims");
    TCase *cases = tcase_create("xiong_claims");
    tcase_add_test(cases, test_predictions_agree_with_the_oracle);
    tcase_add_test(cases, test_published_probability);
    tcase_add_loop_test(cases, test_lemma_2_of_a_model, 0, 2);
    tcase_add_loop_test(cases, test_theorem_1_of_a_model, 0, 2);
    tcase_add_loop_test(cases, test_shares_within_the_bound, 0, 2);
    tcase_add_test(cases, test_outside_the_setting);
    suite_add_tcase(suite, cases);
    return run_suite(suite);
}
