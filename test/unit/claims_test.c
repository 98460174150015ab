/* analysis/claims.h: the table of claims and what it predicts. */

#include "analysis/claims.h"

#include "support/main.h"
#include "unit/claim_fixture.h"
#include "unit/measure_fixture.h"

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
    ck_assert_int_eq(lnstab__claim_count(), 59);
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

/* The arguments of a claim as text: those of a caller, and with `all` those that a model tells itself. */
static void spell(const struct lnstab__claim *claim, const struct lnstab__claim_arguments *a,
                  int all, char text[200]) {
    const struct {
        const char *name;
        double value;
        int told;
    } words[] = {
        {"layer", a->layer, 0},         {"sublayer", a->sublayer, 0}, {"epsilon", a->epsilon, 0},
        {"level", a->level, 0},         {"tokens", a->tokens, 1},     {"start", a->start, 1},
        {"coherence", a->coherence, 1}, {"delta", a->delta, 1},       {"tau", a->tau, 1}};
    int used = 0;
    text[0] = 0;
    for (size_t i = 0; i < sizeof words / sizeof *words; ++i) {
        if (lnstab__text_has_word(claim->arguments, words[i].name, strlen(words[i].name)) &&
            (all || !words[i].told)) {
            used += snprintf(text + used, (size_t)(200 - used), "%s=%.17g ", words[i].name,
                             words[i].value);
        }
    }
}

/* What a claim states of a model and what it predicts from the arguments that the model told, bit by bit;
 * 1 if it covers them. */
static int compare_with_predicted(lnstab_model *m, lnstab_config *c,
                                  const struct lnstab__claim *claim) {
    const struct lnstab__scene s = lnstab__scene_of(m);
    struct lnstab__claim_arguments a = {.layer = 2, .sublayer = 3, .epsilon = 0.25, .level = 0.5};
    char mine[200], all[200];
    double stated = -77, measured = -77, predicted = -77;
    lnstab__scene_tell(&s, claim->arguments, &a);
    spell(claim, &a, 0, mine);
    spell(claim, &a, 1, all);
    const int32_t status = lnstab__claim_measure(m, claim->name, mine, &stated, &measured);
    if (status == LNSTAB_OK && claim->predict) {
        ck_assert_double_eq(predict(c, claim->name, all), stated);
    } else if (claim->predict && *claim->needs && !lnstab__scene_misses(&s, claim->needs)) {
        ck_assert_int_eq(lnstab__claim_predict(c, claim->name, all, &predicted), status);
        ck_assert_str_eq(m->message.text, c->message.text);
    }
    ck_assert(status == LNSTAB_OK || (stated == -77 && measured == -77));
    return status == LNSTAB_OK;
}

START_TEST(test_stated_is_predicted) {
    static const char *const words[] = {"placement=post heads=1 bias=0 out_proj=0 eps=0",
                                        "placement=peri", "placement=pre heads=1 bias=0 eps=0"};
    int covered[64] = {0};
    for (size_t i = 0; i < sizeof words / sizeof *words; ++i) {
        lnstab_model *m = measure_model(words[i]);
        lnstab_config *c = measure_config(words[i]);
        measure_forward(m, 1, MEASURE_T);
        for (int counted = 1; counted <= MEASURE_T; ++counted) {
            measure_backward(m, counted);
            for (int j = 0; j < lnstab__claim_count(); ++j) {
                covered[j] += compare_with_predicted(m, c, lnstab__claim_at(j));
            }
        }
        lnstab_model_destroy(m);
        lnstab_config_destroy(c);
    }
    for (int j = 0; j < lnstab__claim_count(); ++j) {
        const struct lnstab__claim *claim = lnstab__claim_at(j);
        ck_assert_msg(covered[j] > 0 || !*claim->needs || strstr(claim->needs, "pairs") ||
                          strstr(claim->needs, "plain-norms"),
                      "%s is never measured", claim->name);
    }
}
END_TEST

/* What is measured of states that are not numbers is none; where those tell what is stated, nothing is. */
START_TEST(test_states_that_are_not_finite) {
    static const char *const words[] = {"placement=post heads=1 bias=0 out_proj=0 eps=0",
                                        "placement=peri"};
    for (size_t i = 0; i < sizeof words / sizeof *words; ++i) {
        lnstab_model *m = measure_model(words[i]);
        double x[MEASURE_T * MEASURE_D] = {1, NAN, 2};
        ck_good(lnstab_model_message(m), lnstab_model_forward_embedded(m, 1, MEASURE_T, x, NULL));
        measure_backward(m, 1);
        for (int j = 0; j < lnstab__claim_count(); ++j) {
            const struct lnstab__claim *claim = lnstab__claim_at(j);
            const struct lnstab__claim_arguments a = {
                .layer = 2, .sublayer = 3, .epsilon = 0.25, .level = 0.5};
            char text[200];
            double stated = -77, measured = -77;
            spell(claim, &a, 0, text);
            const int32_t status = lnstab__claim_measure(m, claim->name, text, &stated, &measured);
            ck_assert_msg(status == LNSTAB_OK ? !isfinite(measured)
                                              : stated == -77 && measured == -77,
                          "%s: %g", claim->name, measured);
        }
        lnstab_model_destroy(m);
    }
}
END_TEST

int main(void) {
    const TTest *const tests[] = {test_table,
                                  test_arguments_that_are_refused,
                                  test_message_of_a_huge_layer,
                                  test_broken_assumptions_are_told,
                                  test_no_prediction_is_nan,
                                  test_stated_is_predicted,
                                  test_states_that_are_not_finite};
    return run_tests("claims", tests, sizeof tests / sizeof *tests);
}
