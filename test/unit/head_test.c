/* analysis/head.h: what a random head's gradient is. In a measurement: api/meanfield_test.c. */

#include "analysis/head.h"

#include "support/main.h"
#include "unit/theory_fixture.h"

static struct lnstab__spec spec_of(const char *keys) {
    struct lnstab__spec spec;
    lnstab_config *c = theory_config("pre", 2, 1, 64);
    ck_good(lnstab_config_message(c), lnstab_config_set(c, keys));
    ck_good(lnstab_config_message(c), lnstab__spec_resolve(c, &spec));
    lnstab_config_destroy(c);
    return spec;
}

START_TEST(test_variance_of_a_logit) {
    static const struct {
        const char *keys;
        double variance;
    } rows[] = {{"head_init=lecun_normal vocab=1000", 1},
                {"head_init=xavier_uniform vocab=192", 0.5},
                {"head_init=unit_normal", 64},
                {"head_init=gpt2", 0.0256}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        const struct lnstab__spec s = spec_of(rows[i].keys);
        assert_near("variance", i, lnstab__head_logit_variance(&s), rows[i].variance, 1e-14);
    }
}
END_TEST

/* s = 1, V = 1000: e - 2 = .71828. */
START_TEST(test_numbers) {
    const struct lnstab__spec s = spec_of("head_init=lecun_normal vocab=1000");
    assert_near("gradient", 0, lnstab__head_gradient(&s), 1 + 0.71828183e-3 + 1 / 64.0, 1e-9);
    assert_near("coherence", 0, lnstab__head_coherence(&s, 1), 1.71828183 / 1000.71828183, 1e-9);
    ck_assert_double_eq(lnstab__head_coherence(&s, 0), 0);
    ck_assert_double_lt(lnstab__head_coherence(&s, -0.5), 0);
}
END_TEST

int main(void) {
    const TTest *const tests[] = {test_variance_of_a_logit, test_numbers};
    return run_tests("head", tests, sizeof tests / sizeof *tests);
}
