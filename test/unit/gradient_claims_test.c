/* analysis/gradient_claims.c: the mean field of gradients, and a random head's. */

#include "analysis/claims.h"

#include "support/main.h"
#include "unit/claim_fixture.h"

/* rankone placement L rho d n value */
static void check_rank_one(const struct fixture *f) {
    char arguments[80];
    lnstab_config *c = config_of(f, fixture_integer(f, 4));
    snprintf(arguments, sizeof arguments, "tokens=%s", f->words[5]);
    assert_theory(f, predict(c, "rankone.w_2", arguments), fixture_number(f, 6));
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

START_TEST(test_predictions_agree_with_the_oracle) {
    for_each_line("rankone", 450, check_rank_one);
    for_each_line("costate", 550, check_costate);
    for_each_line("matrix", 800, check_matrix);
    for_each_line("head", 36, check_head);
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

/* A norm of a branch of size 0 has no slope in mean field: what passes it is not predicted as 0. */
START_TEST(test_norms_of_nothing) {
    double value = -77;
    lnstab_config *c = theory_config("peri,gain_v=0", 3, 1, 64);
    ck_assert_int_eq(
        lnstab__claim_predict(c, "meanfield.costate", "sublayer=1 tokens=4 coherence=0", &value),
        LNSTAB_ERROR_UNAVAILABLE);
    ck_assert_int_eq(
        lnstab__claim_predict(c, "meanfield.w_2", "layer=1 tokens=4 coherence=0", &value),
        LNSTAB_ERROR_UNAVAILABLE);
    ck_assert_double_eq(value, -77);
    ck_assert_double_gt(predict(c, "meanfield.w_2", "layer=3 tokens=4 coherence=0"), 0);
    lnstab_config_destroy(c);
}
END_TEST

int main(void) {
    const TTest *const tests[] = {test_predictions_agree_with_the_oracle, test_extreme_coherence,
                                  test_rank_one_is_the_last_w_2, test_norms_of_nothing};
    return run_tests("gradient_claims", tests, sizeof tests / sizeof *tests);
}
