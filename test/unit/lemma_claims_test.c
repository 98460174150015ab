/* analysis/lemma_claims.c: what the lemmas of Xiong 2020 say of a configuration; of a model:
 * lemma_measures_test.c. */

#include "analysis/claims.h"

#include "support/main.h"
#include "unit/claim_fixture.h"

/* chi_square d eps tail */
static void check_gaussian(const struct fixture *f) {
    char arguments[80];
    lnstab_config *c = theory_config("pre", 2, 1, fixture_integer(f, 1));
    snprintf(arguments, sizeof arguments, "epsilon=%s", f->words[2]);
    assert_theory(f, predict(c, "definition1.gaussian", arguments), fixture_number(f, 3));
    lnstab_config_destroy(c);
}

/* gaussian_bound d eps value: never below the tail */
static void check_bound(const struct fixture *f) {
    char arguments[80];
    lnstab_config *c = theory_config("post", 2, 1, fixture_integer(f, 1));
    snprintf(arguments, sizeof arguments, "epsilon=%s", f->words[2]);
    const double bound = predict(c, "definition1.bound", arguments);
    assert_theory(f, bound, fixture_number(f, 3));
    ck_assert_double_gt(bound, predict(c, "definition1.gaussian", arguments));
    lnstab_config_destroy(c);
}

START_TEST(test_predictions_agree_with_the_oracle) {
    for_each_line("chi_square", 100, check_gaussian);
    for_each_line("gaussian_bound", 12, check_bound);
}
END_TEST

static void refused(const char *placement, const char *claim, const char *arguments,
                    const char *said) {
    double value = -77;
    lnstab_config *c = theory_config(placement, 2, 1, 64);
    ck_assert_int_ne(lnstab__claim_predict(c, claim, arguments, &value), LNSTAB_OK);
    ck_assert_msg(strstr(c->message.text, said) != NULL, "%s", c->message.text);
    ck_assert_double_eq(value, -77);
    lnstab_config_destroy(c);
}

/* Where a sublayer has no norm, Lemma 3 says nothing. */
START_TEST(test_norms_and_constants) {
    static const struct {
        const char *placement;
        int there[5]; /* in sublayers 1..5 */
    } rows[] = {{"none", {0, 0, 0, 0, 0}},
                {"post", {1, 1, 1, 1, 0}},
                {"pre", {1, 1, 1, 1, 1}},
                {"output-norm", {1, 1, 1, 1, 1}},
                {"none,layer.2.ffn.norm_out=1", {0, 0, 0, 1, 0}},
                {"pre,final_norm=0,layer.1.attn.norm_in=0", {0, 1, 1, 1, 0}}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        lnstab_config *c = theory_config(rows[i].placement, 2, 1, 64);
        for (int k = 1; k <= 5; ++k) {
            char arguments[32];
            snprintf(arguments, sizeof arguments, "sublayer=%d", k);
            ck_assert_double_eq(predict(c, "lemma4.projection", arguments), 1);
            if (rows[i].there[k - 1]) {
                ck_assert_double_eq(predict(c, "lemma3.exact", arguments), 1);
                ck_assert_double_eq(predict(c, "lemma3.printed", arguments), 1);
            } else {
                refused(rows[i].placement, "lemma3.exact", arguments, "no finite value");
                refused(rows[i].placement, "lemma3.printed", arguments, "no finite value");
            }
        }
        ck_assert_double_eq(predict(c, "definition1.reported", ""), 0.125);
        lnstab_config_destroy(c);
    }
}
END_TEST

START_TEST(test_what_is_refused) {
    refused("pre", "definition1.bound", "epsilon=0", "no finite value");
    refused("pre", "definition1.bound", "epsilon=1", "no finite value");
    refused("pre,embed_norm=1", "definition1.gaussian", "epsilon=0.1", "embed_norm must be 0");
    refused("pre,positions=learned", "definition1.bound", "epsilon=0.1", "positions must be none");
    refused("pre,init=gpt2", "lemma1.hidden", "layer=1", "init must be xavier");
    refused("pre,activation=silu", "lemma1.hidden", "layer=1", "activation must be relu");
    refused("pre,gated=1", "lemma1.hidden", "layer=1", "gated must be 0");
    refused("pre", "lemma1.hidden", "layer=1", "is about the weights of a model");
    refused("pre", "lemma5.markov", "level=0.5", "is about the weights of a model");
    refused("pre,width=1,ffn_width=1", "lemma4.projection", "sublayer=1", "no finite value");
}
END_TEST

int main(void) {
    const TTest *const tests[] = {test_predictions_agree_with_the_oracle, test_norms_and_constants,
                                  test_what_is_refused};
    return run_tests("lemma_claims", tests, sizeof tests / sizeof *tests);
}
