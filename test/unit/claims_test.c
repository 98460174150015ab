/* analysis/claims.h: the table of claims and what it predicts. */

#include "analysis/claims.h"

#include "support/main.h"
#include "unit/claim_fixture.h"

START_TEST(test_table) {
    static const char *const arguments =
        "layer sublayer tokens coherence start epsilon level delta tau";
    for (int i = 0; i < lnstab__claim_count(); ++i) {
        const struct lnstab__claim *claim = lnstab__claim_at(i);
        const char *rest = claim->arguments;
        for (int j = 0; j < i; ++j) {
            ck_assert_str_ne(claim->name, lnstab__claim_at(j)->name);
        }
        for (struct lnstab__word w = lnstab__text_next_word(&rest); w.length;
             w = lnstab__text_next_word(&rest)) {
            ck_assert(lnstab__text_has_word(arguments, w.at, w.length));
        }
        ck_assert_str_ne(claim->source, "");
        ck_assert_str_ne(claim->formula, "");
        ck_assert_str_ne(claim->assumptions, "");
        ck_assert(lnstab__text_has_word("= <= >=", claim->relation, strlen(claim->relation)));
        ck_assert(lnstab__text_has_word("identity inequality expectation limit probability "
                                        "published",
                                        claim->kind, strlen(claim->kind)));
        ck_assert(claim->broken != NULL);
        ck_assert(!claim->predict != !claim->state);
        ck_assert_int_eq(claim->measure != NULL, *claim->needs != 0);
    }
    ck_assert_int_eq(lnstab__claim_count(), 41);
}
END_TEST

START_TEST(test_arguments_that_are_refused) {
    static const struct {
        const char *claim, *arguments;
        int32_t status;
        const char *said;
    } rows[] = {
        {"meanfield", "layer=1", LNSTAB_ERROR_NAME, "no claim 'meanfield'"},
        {"", "", LNSTAB_ERROR_NAME, "no claim ''"},
        {"meanfield.q", "layer=1", LNSTAB_ERROR_ARGUMENT, "meanfield.q needs tokens"},
        {"meanfield.q", "", LNSTAB_ERROR_ARGUMENT, "meanfield.q needs layer"},
        {"meanfield.q", "layer=1 tokens=2 delta=1", LNSTAB_ERROR_NAME,
         "takes layer tokens, not 'delta'"},
        {"meanfield.q", "layer=1 token=2", LNSTAB_ERROR_NAME, "'token'"},
        {"meanfield.q", "layer tokens=2", LNSTAB_ERROR_ARGUMENT, "'layer' is not argument=value"},
        {"meanfield.q", "layer=0 tokens=2", LNSTAB_ERROR_ARGUMENT,
         "layer '0' is not a whole number of at least 1"},
        {"meanfield.q", "layer=1.5 tokens=2", LNSTAB_ERROR_ARGUMENT, "layer '1.5'"},
        {"meanfield.q", "layer=7 tokens=2", LNSTAB_ERROR_ARGUMENT, "layer 7 is outside 1..6"},
        {"meanfield.q", "layer=nan tokens=2", LNSTAB_ERROR_ARGUMENT, "layer 'nan'"},
        {"meanfield.state", "sublayer=14 tokens=2", LNSTAB_ERROR_ARGUMENT,
         "sublayer 14 is outside 1..13"},
        {"meanfield.state", "sublayer=0 tokens=2", LNSTAB_ERROR_ARGUMENT, "sublayer '0'"},
        {"meanfield.w_2", "layer=7 tokens=2 coherence=0", LNSTAB_ERROR_ARGUMENT,
         "layer 7 is outside 1..6"},
        {"meanfield.w_2", "layer=6 tokens=2", LNSTAB_ERROR_ARGUMENT, "needs coherence"},
        {"meanfield.token_w_2", "layer=6 tokens=2 coherence=0", LNSTAB_ERROR_NAME,
         "takes layer tokens, not 'coherence'"},
        {"meanfield.costate", "sublayer=1 tokens=2 coherence=1.1", LNSTAB_ERROR_ARGUMENT,
         "coherence '1.1' is not a number of at least -1 and at most 1"},
        {"meanfield.costate", "sublayer=1 tokens=2 coherence=-1.1", LNSTAB_ERROR_ARGUMENT,
         "coherence '-1.1' is not"},
        {"meanfield.costate", "sublayer=1 tokens=5 coherence=-0.26", LNSTAB_ERROR_ARGUMENT,
         "coherence -0.26 is below -1/(tokens - 1)"},
        {"meanfield.loss_gradient", "tokens=2", LNSTAB_ERROR_NAME,
         "takes no argument, not 'tokens'"},
        {"meanfield.q", "layer=1 tokens=-3", LNSTAB_ERROR_ARGUMENT, "tokens '-3'"},
        {"theorem1.probability_published", "epsilon=-0.1 delta=0", LNSTAB_ERROR_ARGUMENT,
         "epsilon '-0.1' is not a number of at least 0"},
        {"bound.state", "sublayer=14 start=1", LNSTAB_ERROR_ARGUMENT, "sublayer 14 is outside"},
        {"bound.state", "sublayer=1 start=-1", LNSTAB_ERROR_ARGUMENT, "start '-1' is not"},
        {"bound.state", "sublayer=1 start=1", LNSTAB_ERROR_UNAVAILABLE, "no finite value"},
        {"theorem1.probability_published", "epsilon=0.1", LNSTAB_ERROR_ARGUMENT, "needs delta"}};
    lnstab_config *c = theory_config("pre", 6, 1, 64);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        double value = -77;
        ck_assert_int_eq(lnstab__claim_predict(c, rows[i].claim, rows[i].arguments, &value),
                         rows[i].status);
        ck_assert_msg(strstr(c->message.text, rows[i].said) != NULL, "%s: %s", rows[i].arguments,
                      c->message.text);
        ck_assert_double_eq(value, -77);
    }
    lnstab_config_destroy(c);
}
END_TEST

/* The value must not push the limit out of the message's room. */
START_TEST(test_message_of_a_huge_layer) {
    lnstab_config *c = theory_config("pre", 6, 1, 64);
    double value = -77;
    ck_assert_int_eq(lnstab__claim_predict(c, "meanfield.q", "layer=1e300 tokens=2", &value),
                     LNSTAB_ERROR_ARGUMENT);
    ck_assert_double_eq(value, -77);
    ck_assert_msg(strstr(c->message.text, "is outside 1..6") != NULL, "%s", c->message.text);
    lnstab_config_destroy(c);
}
END_TEST

START_TEST(test_broken_assumptions_are_told) {
    lnstab_config *c = theory_config("pre", 6, 1, 64);
    double value = -77;
    ck_good(lnstab_config_message(c), lnstab_config_set(c, "causal=1"));
    ck_assert_int_eq(lnstab__claim_predict(c, "meanfield.q", "layer=1 tokens=2", &value),
                     LNSTAB_ERROR_UNAVAILABLE);
    ck_assert_str_eq(c->message.text,
                     "meanfield.q does not cover this: causal must be 0 (uniform attention)");
    ck_assert_double_eq(value, -77);
    ck_assert_double_gt(predict(c, "theorem1.probability_published", "epsilon=0.1 delta=0.125"),
                        0.7);
    ck_assert_str_eq(c->message.text, "");
    ck_good(lnstab_config_message(c),
            lnstab_config_set(c, "causal=0 heads=5")); /* no model at all */
    ck_assert_int_eq(lnstab__claim_predict(c, "meanfield.q", "layer=1 tokens=2", &value),
                     LNSTAB_ERROR_ARGUMENT);
    lnstab_config_destroy(c);
}
END_TEST

/* A branch that starts at 0 has no cosine, and under N_out no size either: a claim must then say so or
 * give the limit, but not succeed with a NaN. */
START_TEST(test_no_prediction_is_nan) {
    static const char *const words[] = {
        "placement=peri gain_v=0",       "placement=output-norm gain_w2=0",
        "placement=peri kappa=0",        "placement=pre kappa=0",
        "placement=none alpha=0 beta=0", "placement=post alpha=0 gain_v=0"};
    static const char *const claims[][2] = {
        {"meanfield.q", "layer=2 tokens=4"},
        {"meanfield.cosine", "layer=2 tokens=4"},
        {"meanfield.hidden_cosine", "layer=2 tokens=4"},
        {"meanfield.state_cosine", "sublayer=4 tokens=4"},
        {"meanfield.update_ratio", "sublayer=3 tokens=4"},
        {"meanfield.costate", "sublayer=1 tokens=4 coherence=1"},
        {"meanfield.costate_cosine", "sublayer=2 tokens=4 coherence=0"},
        {"meanfield.w_v", "layer=1 tokens=4 coherence=0.5"},
        {"meanfield.w_2", "layer=2 tokens=4 coherence=0.5"},
        {"rankone.w_2", "tokens=4"}};
    for (size_t i = 0; i < sizeof words / sizeof *words; ++i) {
        for (size_t j = 0; j < sizeof claims / sizeof *claims; ++j) {
            lnstab_config *c = theory_config("post", 2, 1, 64);
            double value = -77;
            ck_good(lnstab_config_message(c), lnstab_config_set(c, words[i]));
            const int32_t status = lnstab__claim_predict(c, claims[j][0], claims[j][1], &value);
            ck_assert_msg(status == LNSTAB_ERROR_UNAVAILABLE ||
                              (status == LNSTAB_OK && isfinite(value)),
                          "%s of %s is %g", claims[j][0], words[i], value);
            lnstab_config_destroy(c);
        }
    }
}
END_TEST

int main(void) {
    const TTest *const tests[] = {test_table, test_arguments_that_are_refused,
                                  test_message_of_a_huge_layer, test_broken_assumptions_are_told,
                                  test_no_prediction_is_nan};
    return run_tests("claims", tests, sizeof tests / sizeof *tests);
}
