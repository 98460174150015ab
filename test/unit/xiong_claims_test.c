/* analysis/xiong_claims.c: what Xiong 2020 states, with what is derived of it. */

#include "analysis/claims.h"

#include "support/main.h"
#include "unit/claim_fixture.h"

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

int main(void) {
    const TTest *const tests[] = {test_predictions_agree_with_the_oracle,
                                  test_published_probability};
    return run_tests("xiong_claims", tests, sizeof tests / sizeof *tests);
}
