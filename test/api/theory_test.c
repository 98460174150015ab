/* The claims through the public interface: what they refuse, what they print in the theory's own tables.
 * All values against the independent evaluation: the tests of the files of claims in test/unit. */

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/handles.h"
#include "support/main.h"

#define SETTING                                                                                    \
    "width=256 ffn_width=256 heads=1 bias=0 out_proj=0 gain_qk=0 eps=0 input=embedded causal=0 "

static double predict(lnstab_config *c, const char *claim, const char *arguments) {
    double value = NAN;
    ck_good(lnstab_config_message(c), lnstab_claim_predict(c, claim, arguments, &value));
    return value;
}

/* The test values of the theory: n = 32, rho = 1. */
START_TEST(test_mean_field_tables) {
    static const int depths[] = {1, 2, 4, 6, 12, 24};
    static const struct {
        const char *placement, *claim;
        double values[6], tolerance;
    } tables[] = {
        {"placement=pre", "meanfield.q", {1.5312, 2.1878, 3.8640, 5.8906, 12.983, 28.792}, 6e-4},
        {"placement=pre dt=0.1",
         "meanfield.q",
         {1.0053, 1.0106, 1.0214, 1.0322, 1.0650, 1.1326},
         5e-5},
        {"placement=ln-scaling",
         "meanfield.q",
         {1.5312, 1.8595, 2.2961, 2.5966, 3.1737, 3.8142},
         6e-5},
        {"placement=peri", "meanfield.q", {3, 5, 9, 13, 25, 49}, 1e-12},
        {"placement=post", "meanfield.cosine", {.1314, .3180, .7114, .9154, .9987, 1.0000}, 5e-5},
        {"placement=pre", "rankone.w_2", {.57143, .47806, .35972, .29134, .19625, .13178}, 5e-6},
        {"placement=peri", "rankone.w_2", {.57735, .44721, .33333, .27735, .20000, .14286}, 5e-6},
    };
    for (size_t i = 0; i < sizeof tables / sizeof *tables; ++i) {
        for (int j = 0; j < 6; ++j) {
            char text[256], arguments[64];
            const int rank_one = strcmp(tables[i].claim, "rankone.w_2") == 0;
            snprintf(text, sizeof text, SETTING "%s layers=%d", tables[i].placement, depths[j]);
            snprintf(arguments, sizeof arguments, rank_one ? "tokens=32" : "tokens=32 layer=%d",
                     depths[j]);
            lnstab_config *c = new_config(text);
            const double value = predict(c, tables[i].claim, arguments) / (rank_one ? 16 : 1);
            ck_assert_msg(fabs(value - tables[i].values[j]) <= tables[i].tolerance,
                          "%s %s L=%d: %.6f", tables[i].placement, tables[i].claim, depths[j],
                          value);
            lnstab_config_destroy(c);
        }
    }
}
END_TEST

/* Theorem 1 with the constants of its proof: rho = 1 and 4, post and pre. */
START_TEST(test_theorem_1_constants) {
    static const struct {
        const char *placement;
        int rho;
        double constant;
    } rows[] = {{"placement=post layers=6", 1, 40.0 / 3},
                {"placement=post layers=12", 4, 800.0 / 33},
                {"placement=pre layers=6", 1, 40.0 / 8},
                {"placement=pre layers=6", 4, 800.0 / (25 + 48)}};
    for (int i = 0; i < 4; ++i) {
        char text[256];
        snprintf(text, sizeof text, SETTING "%s ffn_width=%d", rows[i].placement,
                 256 * rows[i].rho);
        lnstab_config *c = new_config(text);
        for (int n = 1; n <= 32; n += 31) {
            char arguments[32];
            snprintf(arguments, sizeof arguments, "tokens=%d", n);
            const double wanted = 256 * sqrt(rows[i].constant * log(100.0 * n * rows[i].rho * 256));
            const double printed = predict(c, "theorem1.printed", arguments);
            ck_assert_double_le(fabs(printed - wanted), 1e-12 * wanted);
            ck_assert_double_gt(predict(c, "theorem1.rigorous", arguments), printed);
            ck_good(lnstab_config_message(c), lnstab_config_set(c, "norm=rms"));
            ck_assert_double_eq(predict(c, "theorem1.rigorous", arguments), printed);
            ck_good(lnstab_config_message(c), lnstab_config_set(c, "norm=layer"));
        }
        lnstab_config_destroy(c);
    }
    lnstab_config *c = new_config("");
    ck_assert_double_le(
        fabs(predict(c, "theorem1.probability_published", "epsilon=0.1 delta=0.125") - 0.765),
        1e-12);
    lnstab_config_destroy(c);
}
END_TEST

static void refuse(const char *config, const char *claim, const char *arguments, int32_t wanted,
                   const char *message) {
    lnstab_config *c = new_config(config);
    double value = 7;
    int32_t status = lnstab_claim_predict(c, claim, arguments, &value);
    ck_assert_msg(status == wanted && strcmp(lnstab_config_message(c), message) == 0,
                  "%s %s: %d '%s', wanted %d '%s'", claim, arguments, status,
                  lnstab_config_message(c), wanted, message);
    ck_assert_double_eq(value, 7);
    lnstab_config_destroy(c);
}

START_TEST(test_arguments_are_checked) {
    refuse(SETTING, "theorem2", "", LNSTAB_ERROR_NAME, "no claim 'theorem2'");
    refuse(SETTING, "meanfield.q", "tokens=32", LNSTAB_ERROR_ARGUMENT, "meanfield.q needs layer");
    refuse(SETTING, "meanfield.q", "layer=1", LNSTAB_ERROR_ARGUMENT, "meanfield.q needs tokens");
    refuse(SETTING, "meanfield.q", "layer=7 tokens=2", LNSTAB_ERROR_ARGUMENT,
           "layer 7 is outside 1..6");
    refuse(SETTING, "meanfield.q", "layer=0 tokens=2", LNSTAB_ERROR_ARGUMENT,
           "layer '0' is not a whole number of at least 1");
    refuse(SETTING, "meanfield.q", "layer=1.5 tokens=2", LNSTAB_ERROR_ARGUMENT,
           "layer '1.5' is not a whole number of at least 1");
    refuse(SETTING, "meanfield.q", "layer=1 tokens=x", LNSTAB_ERROR_ARGUMENT,
           "tokens 'x' is not a whole number of at least 1");
    refuse(SETTING, "meanfield.q", "layer=1 tokens=2 tau=1", LNSTAB_ERROR_NAME,
           "meanfield.q takes layer tokens, not 'tau'");
    refuse(SETTING, "meanfield.q", "layer", LNSTAB_ERROR_ARGUMENT, "'layer' is not argument=value");
    refuse("", "theorem1.probability_published", "epsilon=-1 delta=0", LNSTAB_ERROR_ARGUMENT,
           "epsilon '-1' is not a number of at least 0");
    refuse("heads=3", "lemma2.upper", "layer=1", LNSTAB_ERROR_ARGUMENT,
           "heads 3 does not divide width 512");
    ck_assert_int_eq(lnstab_claim_predict(NULL, "lemma2.upper", "layer=1", NULL),
                     LNSTAB_ERROR_ARGUMENT);
}
END_TEST

/* Outside its assumptions a claim says which key is in the way. */
START_TEST(test_assumptions_are_checked) {
    static const struct {
        const char *config, *reason;
    } rows[] = {
        {SETTING "gain_qk=1", "gain_qk must be 0 (uniform attention)"},
        {SETTING "causal=1", "causal must be 0 (uniform attention)"},
        {SETTING "init=lecun_normal", "init must be xavier_normal or xavier_uniform"},
        {SETTING "kv_heads=1 heads=2", "kv_heads must be heads"},
        {SETTING "activation=gelu", "activation must be relu"},
        {SETTING "gated=1", "gated must be 0"},
        {SETTING "qk_norm=head", "qk_norm must be none"},
        {SETTING "eps=1e-4", "eps must be at most 1e-5"},
        {SETTING "eps=1e-5", "eps must be 0"},
        {SETTING "positions=learned", "positions must be none or rotary"},
        {SETTING "input=tokens embed_scale=2",
         "embed_init must be unit_normal, embed_scale and gain_embed 1"},
        {SETTING "heads=2", "heads must be 1"},
        {SETTING "out_proj=1", "out_proj must be 0 (no W_O)"},
        {SETTING "bias=1", "bias must be 0"},
        {SETTING "placement=peri", "placement must be post without, or pre with, a final norm"},
        {SETTING "placement=mix", "placement must be post without, or pre with, a final norm"},
        {SETTING "final_norm=1", "placement must be post without, or pre with, a final norm"},
        {SETTING "placement=pre final_norm=0",
         "placement must be post without, or pre with, a final norm"},
        {SETTING "kappa=2", "kappa must be 1"},
        {SETTING "alpha=1*L^0.25", "alpha must be 1"},
        {SETTING "placement=pre beta=0.1", "beta must be 1"},
        {SETTING "gain_w2=0.5", "gain_v, gain_w1 and gain_w2 must be 1"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        char message[160];
        snprintf(message, sizeof message, "theorem1.printed does not cover this: %s",
                 rows[i].reason);
        refuse(rows[i].config, "theorem1.printed", "tokens=1", LNSTAB_ERROR_UNAVAILABLE, message);
    }
    lnstab_config *c = new_config(SETTING "placement=deepnorm heads=4 out_proj=1 bias=1");
    ck_assert_double_gt(predict(c, "meanfield.q", "layer=3 tokens=4"), 0);
    lnstab_config_destroy(c);
}
END_TEST

int main(void) {
    const TTest *const tests[] = {test_mean_field_tables, test_theorem_1_constants,
                                  test_arguments_are_checked, test_assumptions_are_checked};
    return run_tests("theory", tests, sizeof tests / sizeof *tests);
}
