/* analysis/scale_claims.c: what a factor of a branch's last matrix leaves alone. The program's verb verify
 * measures it. */

#include "analysis/claims.h"

#include "support/main.h"
#include "unit/claim_fixture.h"

START_TEST(test_where_there_is_an_n_out) {
    lnstab_config *c = theory_config("peri", 6, 1, 64);
    for (int k = 1; k <= 12; ++k) {
        char arguments[32];
        snprintf(arguments, sizeof arguments, "sublayer=%d", k);
        ck_assert_double_eq(predict(c, "scale.state", arguments), 0);
        ck_assert_double_eq(predict(c, "scale.gradient", arguments), 1);
    }
    lnstab_config_destroy(c);
}
END_TEST

START_TEST(test_where_there_is_none) {
    static const struct {
        const char *words, *sublayer, *said;
    } rows[] = {{"pre", "sublayer=1", "no finite value"},
                {"post", "sublayer=2", "no finite value"},
                {"peri", "sublayer=13", "no finite value"}, /* the final norm */
                {"peri,layer.2.ffn.norm_out=0", "sublayer=4", "no finite value"},
                {"peri,eps=1e-5", "sublayer=1", "eps must be 0"}};
    static const char *const claims[] = {"scale.state", "scale.gradient"};
    for (size_t i = 0; i < 2 * sizeof rows / sizeof *rows; ++i) {
        double value = -77;
        lnstab_config *c = theory_config(rows[i / 2].words, 6, 1, 64);
        ck_assert_int_eq(lnstab__claim_predict(c, claims[i % 2], rows[i / 2].sublayer, &value),
                         LNSTAB_ERROR_UNAVAILABLE);
        ck_assert_msg(strstr(c->message.text, rows[i / 2].said) != NULL, "%s", c->message.text);
        ck_assert_double_eq(value, -77);
        lnstab_config_destroy(c);
    }
}
END_TEST

int main(void) {
    const TTest *const tests[] = {test_where_there_is_an_n_out, test_where_there_is_none};
    return run_tests("scale_claims", tests, sizeof tests / sizeof *tests);
}
