/* analysis/state_claims.c: the mean field of states. */

#include "analysis/claims.h"

#include "support/main.h"
#include "unit/claim_fixture.h"
#include "unit/measure_fixture.h"

/* meanfield placement L rho n l q cosine */
static void check_meanfield(const struct fixture *f) {
    char arguments[80];
    lnstab_config *c = config_of(f, 64);
    snprintf(arguments, sizeof arguments, "layer=%s tokens=%s", f->words[5], f->words[4]);
    assert_theory(f, predict(c, "meanfield.q", arguments), fixture_number(f, 6));
    assert_theory(f, predict(c, "meanfield.cosine", arguments), fixture_number(f, 7));
    lnstab_config_destroy(c);
}

/* hidden_cosine placement L rho n value: of the last layer */
static void check_hidden_cosine(const struct fixture *f) {
    char arguments[80];
    lnstab_config *c = config_of(f, 64);
    snprintf(arguments, sizeof arguments, "tokens=%s layer=%s", f->words[4], f->words[2]);
    assert_theory(f, predict(c, "meanfield.hidden_cosine", arguments), fixture_number(f, 5));
    lnstab_config_destroy(c);
}

/* sublayer placement L rho n k state cosine input branch sum update_ratio */
static void check_sublayer(const struct fixture *f) {
    static const char *const claims[] = {"meanfield.state", "meanfield.state_cosine",
                                         "meanfield.input", "meanfield.branch",
                                         "meanfield.sum",   "meanfield.update_ratio"};
    char arguments[80];
    lnstab_config *c = config_of(f, 64);
    snprintf(arguments, sizeof arguments, "sublayer=%s tokens=%s", f->words[5], f->words[4]);
    for (int i = 0; i < 6; ++i) {
        assert_theory(f, predict(c, claims[i], arguments), fixture_number(f, 6 + i));
    }
    lnstab_config_destroy(c);
}

/* hidden placement L rho n l value */
static void check_hidden(const struct fixture *f) {
    char arguments[80];
    lnstab_config *c = config_of(f, 64);
    snprintf(arguments, sizeof arguments, "layer=%s tokens=%s", f->words[5], f->words[4]);
    assert_theory(f, predict(c, "meanfield.hidden", arguments), fixture_number(f, 6));
    lnstab_config_destroy(c);
}

START_TEST(test_predictions_agree_with_the_oracle) {
    for_each_line("meanfield", 2700, check_meanfield);
    for_each_line("hidden_cosine", 300, check_hidden_cosine);
    for_each_line("sublayer", 550, check_sublayer);
    for_each_line("hidden", 240, check_hidden);
}
END_TEST

/* N(0) = 0 for any eps > 0: a branch that starts at 0 adds nothing to the stream, norm or no norm. A claim
 * gives what that makes of q after two layers, or says that it does not cover it. */
START_TEST(test_branches_of_size_0_add_nothing) {
    static const struct {
        const char *words;
        double q;
    } rows[] = {{"placement=peri gain_v=0", 3},         /* the two FFNs */
                {"placement=output-norm gain_w2=0", 3}, /* the two attentions */
                {"placement=peri kappa=0", 1},
                {"placement=pre kappa=0", 1},
                {"placement=post alpha=0 gain_v=0", 0}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        lnstab_config *c = theory_config("post", 2, 1, 64);
        double value = rows[i].q;
        ck_good(lnstab_config_message(c), lnstab_config_set(c, rows[i].words));
        const int32_t status = lnstab__claim_predict(c, "meanfield.q", "layer=2 tokens=4", &value);
        ck_assert(status == LNSTAB_OK || status == LNSTAB_ERROR_UNAVAILABLE);
        ck_assert_msg(fabs(value - rows[i].q) <= 1e-14, "%s: %.17g, not %g", rows[i].words, value,
                      rows[i].q);
        lnstab_config_destroy(c);
    }
}
END_TEST

/* peri without attention, layer 2: the cosine after one FFN of independent tokens is 1/pi times 1/2. */
START_TEST(test_cosine_beside_a_branch_of_size_0) {
    lnstab_config *c = theory_config("peri", 2, 1, 64);
    const double p = 0.5 / acos(-1), angle = acos(-1) - acos(p);
    const double wanted = (sqrt(1 - p * p) + p * angle) / acos(-1);
    double value = wanted;
    ck_good(lnstab_config_message(c), lnstab_config_set(c, "gain_v=0"));
    const int32_t status =
        lnstab__claim_predict(c, "meanfield.hidden_cosine", "layer=2 tokens=4", &value);
    ck_assert(status == LNSTAB_OK || status == LNSTAB_ERROR_UNAVAILABLE);
    assert_near("hidden cosine", 0, value, wanted, 1e-14);
    lnstab_config_destroy(c);
}
END_TEST

enum { D = MEASURE_D, H = MEASURE_H, T = MEASURE_T, L = MEASURE_L, ROWS = 2 * T };

static double mean_square(const double *x, int width) {
    return dot((size_t)(ROWS * width), x, x) / (ROWS * width);
}

static double mean_cosine(const double *x, int width) {
    const size_t n = (size_t)width;
    double pairs = 0;
    for (int i = 0; i < ROWS; ++i) {
        for (int j = i / T * T; j < i / T * T + T; ++j) {
            pairs += i == j ? 0 : dot(n, x + i * width, x + j * width);
        }
    }
    return pairs / (T - 1) / dot(ROWS * n, x, x);
}

static void check_layers(lnstab_model *m) {
    for (int l = 1; l <= L; ++l) {
        const double *h = state_of(m, 2 * l, "hidden"), *x = state_of(m, 2 * l, "out");
        const size_t at = (size_t)l;
        assert_same("q", at, measure(m, "meanfield.q", "layer=%d", l).measured, mean_square(x, D));
        assert_near("cosine", at, measure(m, "meanfield.cosine", "layer=%d", l).measured,
                    mean_cosine(x, D), 1e-12);
        assert_same("hidden", at, measure(m, "meanfield.hidden", "layer=%d", l).measured,
                    mean_square(h, H));
        assert_near("hidden_cosine", at,
                    measure(m, "meanfield.hidden_cosine", "layer=%d", l).measured,
                    mean_cosine(h, H), 1e-12);
    }
}

/* The final norm is an update without a branch, whose sum is its input. */
static void check_sublayer_of_model(lnstab_model *m, int k) {
    static const char *const claims[] = {"input", "branch", "sum"};
    static const char *const states[] = {"f_in", "branch", "sum"};
    const struct lnstab__sublayer *at = &m->sublayers[(k - 1) % (2 * L)];
    const int is_last = k > 2 * L;
    const double *x = data_of(m, stream_name(k));
    assert_same("state", (size_t)k, measure(m, "meanfield.state", "sublayer=%d", k).measured,
                mean_square(x, D));
    assert_near("state_cosine", (size_t)k,
                measure(m, "meanfield.state_cosine", "sublayer=%d", k).measured, mean_cosine(x, D),
                1e-12);
    for (int i = 0; i < 3; ++i) {
        char claim[40];
        snprintf(claim, sizeof claim, "meanfield.%s", claims[i]);
        assert_same(claim, (size_t)k, measure(m, claim, "sublayer=%d", k).measured,
                    !is_last ? mean_square(state_of(m, k, states[i]), D)
                    : i == 2 ? mean_square(data_of(m, stream_name(2 * L)), D)
                             : 0);
    }
    assert_same(
        "update_ratio", (size_t)k, measure(m, "meanfield.update_ratio", "sublayer=%d", k).measured,
        is_last ? 0
                : fabs(at->beta / at->alpha) * sqrt(mean_square(state_of(m, k, "f_out"), D) /
                                                    mean_square(state_of(m, k, "in"), D)));
}

START_TEST(test_measures) {
    static const char *const words[] = {"placement=pre kappa=0.5", "placement=post ffn.beta=-2",
                                        "placement=peri alpha=-0.5 final_norm=0",
                                        "placement=custom norm_in=1 norm_out=1 norm_res=1"};
    for (size_t i = 0; i < sizeof words / sizeof *words; ++i) {
        lnstab_model *m = measure_model(words[i]);
        measure_forward(m, 2, T);
        check_layers(m);
        for (int k = 1; k <= 2 * L + 1; ++k) {
            check_sublayer_of_model(m, k);
        }
        measure_forward(m, 1, 1);
        ck_assert_double_nan(measure(m, "meanfield.cosine", "layer=1").measured);
        lnstab_model_destroy(m);
    }
}
END_TEST

int main(void) {
    const TTest *const tests[] = {test_predictions_agree_with_the_oracle,
                                  test_branches_of_size_0_add_nothing,
                                  test_cosine_beside_a_branch_of_size_0, test_measures};
    return run_tests("state_claims", tests, sizeof tests / sizeof *tests);
}
