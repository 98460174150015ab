/* analysis/claims.h: the table of claims and what it predicts. */

#include "analysis/claims.h"

#include "support/main.h"
#include "unit/theory_fixture.h"

static double predict(lnstab_config *c, const char *claim, const char *arguments) {
    double value = -77;
    const int32_t status = lnstab__claim_predict(c, claim, arguments, &value);
    if (status != LNSTAB_OK) {
        ck_abort_msg("%s %s: %s", claim, arguments, c->message.text);
    }
    return value;
}

static lnstab_config *config_of(const struct fixture *f, int64_t d) {
    return theory_config(f->words[1], fixture_integer(f, 2), fixture_number(f, 3), d);
}

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

/* costate placement L rho n coherence k size cosine token's */
static void check_costate(const struct fixture *f) {
    char own[80], all[160];
    lnstab_config *c = config_of(f, 64);
    snprintf(own, sizeof own, "sublayer=%s tokens=%s", f->words[6], f->words[4]);
    snprintf(all, sizeof all, "%s coherence=%s", own, f->words[5]);
    assert_theory(f, predict(c, "meanfield.costate", all), fixture_number(f, 7));
    assert_near("cosine", 0, predict(c, "meanfield.costate_cosine", all), fixture_number(f, 8),
                1e-12);
    assert_theory(f, predict(c, "meanfield.token_costate", own), fixture_number(f, 9));
    lnstab_config_destroy(c);
}

/* matrix placement L rho n coherence d l w norm token's */
static void check_matrix(const struct fixture *f) {
    char own[80], all[160], name[40];
    lnstab_config *c = config_of(f, fixture_integer(f, 6));
    snprintf(own, sizeof own, "layer=%s tokens=%s", f->words[7], f->words[4]);
    snprintf(all, sizeof all, "%s coherence=%s", own, f->words[5]);
    snprintf(name, sizeof name, "meanfield.%s", f->words[8]);
    assert_theory(f, predict(c, name, all), fixture_number(f, 9));
    snprintf(name, sizeof name, "meanfield.token_%s", f->words[8]);
    assert_theory(f, predict(c, name, own), fixture_number(f, 10));
    lnstab_config_destroy(c);
}

/* head placement L n d V head_init coherence gradient */
static void check_head(const struct fixture *f) {
    char arguments[80], words[120];
    lnstab_config *c = theory_config(f->words[1], fixture_integer(f, 2), 1, fixture_integer(f, 4));
    snprintf(words, sizeof words, "vocab=%s head_init=%s", f->words[5], f->words[6]);
    ck_good(lnstab_config_message(c), lnstab_config_set(c, words));
    snprintf(arguments, sizeof arguments, "tokens=%s", f->words[3]);
    assert_theory(f, predict(c, "meanfield.coherence", arguments), fixture_number(f, 7));
    assert_theory(f, predict(c, "meanfield.loss_gradient", ""), fixture_number(f, 8));
    lnstab_config_destroy(c);
}

/* rankone placement L rho d n value */
static void check_rank_one(const struct fixture *f) {
    char arguments[80];
    lnstab_config *c = config_of(f, fixture_integer(f, 4));
    snprintf(arguments, sizeof arguments, "tokens=%s", f->words[5]);
    assert_theory(f, predict(c, "rankone.w_2", arguments), fixture_number(f, 6));
    lnstab_config_destroy(c);
}

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

static const struct {
    const char *kind;
    int least;
    void (*check)(const struct fixture *f);
} kinds[] = {{"meanfield", 2700, check_meanfield},
             {"hidden_cosine", 300, check_hidden_cosine},
             {"rankone", 450, check_rank_one},
             {"lemma2", 200, check_lemma_2},
             {"theorem1", 120, check_theorem_1},
             {"probability", 11, check_probability},
             {"sublayer", 550, check_sublayer},
             {"hidden", 240, check_hidden},
             {"costate", 550, check_costate},
             {"matrix", 800, check_matrix},
             {"head", 36, check_head}};

START_TEST(test_predictions_agree_with_the_oracle) {
    for_each_line(kinds[_i].kind, kinds[_i].least, kinds[_i].check);
}
END_TEST

START_TEST(test_table) {
    static const char *const arguments = "layer sublayer tokens coherence epsilon delta tau";
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
        ck_assert(claim->broken != NULL && claim->predict != NULL);
    }
    ck_assert_int_eq(lnstab__claim_count(), 30);
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

/* The least coherence of any number of tokens is taken, and gradients whose sum is 0 leave nothing to
 * attention; that of one token does not matter. */
START_TEST(test_extreme_coherence) {
    lnstab_config *c = theory_config("pre,layer.L.gain_w2=0", 6, 1, 64);
    for (int n = 2; n < 300; ++n) {
        char arguments[80];
        snprintf(arguments, sizeof arguments, "layer=6 tokens=%d coherence=%.17g", n,
                 -1.0 / (n - 1));
        ck_assert_double_gt(predict(c, "meanfield.w_2", arguments), 0);
        assert_near("w_v", (size_t)n, predict(c, "meanfield.w_v", arguments), 0, 1e-7);
    }
    ck_assert_double_eq(predict(c, "meanfield.w_2", "layer=6 tokens=1 coherence=-1"),
                        predict(c, "meanfield.w_2", "layer=6 tokens=1 coherence=1"));
    lnstab_config_destroy(c);
}
END_TEST

/* The last W_2 of one token's loss is the rank-one prediction, whatever the sublayers are. */
START_TEST(test_rank_one_is_the_last_w_2) {
    for (int p = 0; p < lnstab__placement_count(); ++p) {
        lnstab_config *c = theory_config(lnstab__placement_at(p)->name, 5, 4, 64);
        ck_assert_double_eq(predict(c, "meanfield.token_w_2", "layer=5 tokens=9"),
                            predict(c, "rankone.w_2", "tokens=9"));
        assert_near("sequence", (size_t)p,
                    3 * predict(c, "meanfield.w_2", "layer=5 tokens=9 coherence=0"),
                    predict(c, "rankone.w_2", "tokens=9"), 1e-12);
        lnstab_config_destroy(c);
    }
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

int main(void) {
    Suite *suite = suite_create("claims");
    TCase *cases = tcase_create("claims");
    tcase_set_timeout(cases, 60);
    tcase_add_loop_test(cases, test_predictions_agree_with_the_oracle, 0, 11);
    tcase_add_test(cases, test_table);
    tcase_add_test(cases, test_arguments_that_are_refused);
    tcase_add_test(cases, test_message_of_a_huge_layer);
    tcase_add_test(cases, test_broken_assumptions_are_told);
    tcase_add_test(cases, test_extreme_coherence);
    tcase_add_test(cases, test_rank_one_is_the_last_w_2);
    tcase_add_test(cases, test_published_probability);
    tcase_add_test(cases, test_no_prediction_is_nan);
    tcase_add_test(cases, test_branches_of_size_0_add_nothing);
    tcase_add_test(cases, test_cosine_beside_a_branch_of_size_0);
    suite_add_tcase(suite, cases);
    return run_suite(suite);
}
