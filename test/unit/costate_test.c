/* analysis/costate.h: the mean field of gradients, against values by hand and closed forms. Against the
 * oracle's long double: gradient_claims_test.c. */

#include "analysis/costate.h"

#include "support/main.h"
#include "unit/theory_fixture.h"

static struct lnstab__spec spec_of(const char *placement, int64_t L, const char *keys) {
    struct lnstab__spec spec;
    lnstab_config *c = theory_config(placement, L, 1, 64);
    ck_good(lnstab_config_message(c), lnstab_config_set(c, keys));
    ck_good(lnstab_config_message(c), lnstab__spec_resolve(c, &spec));
    lnstab_config_destroy(c);
    return spec;
}

static const char *const rows[][2] = {
    {"none", ""},
    {"post", "alpha=1.3 kappa=0.7"},
    {"pre", "beta=0.1"},
    {"peri", "gain_v=2"},
    {"deepnorm", "out_proj=1"},
    {"ln-scaling", ""},
    {"output-norm", "alpha=0.9*l^0.1"},
    {"mix", ""},
    {"pre",
     "ffn.norm_out=1 layer.2.norm_res=1 layer.3.attn.norm_in=0 ffn.beta=0.3*l^0.5 final_norm=0"}};

enum { ROWS = sizeof rows / sizeof *rows };

/* One token: what multiplies a sublayer's state divides its costate, so that the product of their mean
 * squares is the same in the whole stack. */
START_TEST(test_one_token_keeps_the_product_of_state_and_costate) {
    for (size_t i = 0; i < ROWS; ++i) {
        const struct lnstab__spec s = spec_of(rows[i][0], 5, rows[i][1]);
        const double product = lnstab__meanfield_at(&s, 10, 1).out.q;
        for (int64_t k = 0; k <= 10; ++k) {
            const double q = lnstab__meanfield_at(&s, k, 1).in.q;
            const double g = lnstab__costate_at(&s, k, 1, 0.3).q;
            assert_near(rows[i][0], (size_t)k, g * q, product, 1e-13 * product);
        }
    }
}
END_TEST

/* The same for n tokens where they are all alike, or where nothing mixes them and their gradients are
 * incoherent. */
START_TEST(test_tokens_that_nothing_mixes) {
    for (size_t i = 0; i < ROWS; ++i) {
        struct lnstab__spec s = spec_of(rows[i][0], 5, rows[i][1]);
        if (strcmp(rows[i][0], "peri") == 0 || strcmp(rows[i][0], "output-norm") == 0) {
            continue; /* N_out has no limit for attention of size 0 */
        }
        for (int row = 0; row < 2; ++row) {
            s.rows[row].gain[LNSTAB__GAIN_V].factor = 0;
        }
        const double product = lnstab__meanfield_at(&s, 10, 7).out.q;
        for (int64_t k = 0; k <= 10; ++k) {
            const struct lnstab__moments p = lnstab__costate_at(&s, k, 7, 0);
            assert_near(rows[i][0], (size_t)k, p.q * lnstab__meanfield_at(&s, k, 7).in.q, product,
                        1e-13 * product);
            assert_near("product", (size_t)k, p.c, 0, 0);
        }
    }
}
END_TEST

/* theory.md: one token, peri and output-norm, dt = beta: 1/(1 + k dt^2) before sublayer k = 0..2L. */
START_TEST(test_closed_forms) {
    static const char *const placements[] = {"peri", "output-norm"};
    for (int i = 0; i < 2; ++i) {
        const struct lnstab__spec s = spec_of(placements[i], 4, "beta=0.5");
        for (int64_t k = 0; k <= 8; ++k) {
            assert_near(placements[i], (size_t)k, lnstab__costate_at(&s, k, 1, 0).q,
                        1 / (1 + (double)k / 4), 1e-14);
        }
    }
    const struct lnstab__spec pre = spec_of("pre", 4, "beta=0.5");
    const double q_L = 1 + 4 * 1.5 / 4;
    assert_near("pre", 0, lnstab__costate_at(&pre, 0, 1, 0).q, 1, 1e-14);
    assert_near("pre, below the final norm", 0, lnstab__costate_at(&pre, 8, 1, 0).q, 1 / q_L,
                1e-14);
    assert_near("pre, W_2", 0, lnstab__costate_gradient(&pre, LNSTAB__GAIN_W2, 4, 1, 0),
                64 * 0.25 / 2 / q_L, 1e-13);
}
END_TEST

/* Where there is no final norm, the costates of the last state are the gradients at the output. */
START_TEST(test_the_output) {
    static const char *const placements[] = {"none", "post", "deepnorm"};
    for (int i = 0; i < 3; ++i) {
        const struct lnstab__spec s = spec_of(placements[i], 3, "");
        const struct lnstab__moments p = lnstab__costate_at(&s, 6, 5, -0.2);
        ck_assert(p.q == 1 && p.c == -0.2);
    }
    const struct lnstab__spec peri = spec_of("peri", 3, "");
    assert_near("peri", 0, lnstab__costate_at(&peri, 6, 5, 0.5).c, 0.5 / 7, 1e-16);
}
END_TEST

/* One attention over 4 tokens of N(0, I), x' = x + W_O W_V mean(x), gains 2 and 3, coherence 1/2: every
 * token gets (1 + 3/2)/4 = 5/8 of 36 more; ||mean||^2 = d/4, and the sum of the costates is 4 x 5/2. */
START_TEST(test_attention_by_hand) {
    const struct lnstab__spec s = spec_of("none", 1, "out_proj=1 gain_v=2 gain_o=3 gain_w1=0");
    const struct lnstab__moments p = lnstab__costate_at(&s, 0, 4, 0.5);
    assert_near("square", 0, p.q, 1 + 22.5, 1e-14);
    assert_near("product", 0, p.c, 0.5 + 22.5, 1e-14);
    const double d = 64, both = d / 4 * 10 / 16;
    assert_near("W_V", 0, lnstab__costate_gradient(&s, LNSTAB__GAIN_V, 1, 4, 0.5), 9 * both, 1e-12);
    assert_near("W_O", 0, lnstab__costate_gradient(&s, LNSTAB__GAIN_O, 1, 4, 0.5), 4 * both, 1e-12);
    /* gradients whose sum is 0 */
    ck_assert_double_eq(lnstab__costate_gradient(&s, LNSTAB__GAIN_V, 1, 4, -1.0 / 3), 0);
    ck_assert_double_eq(lnstab__costate_gradient(&s, LNSTAB__GAIN_QK, 1, 4, 0.5), 0);
}
END_TEST

/* One FFN on 2 tokens of N(0, I), rho = 1, coherence 1/2: ReLU lets a unit of both through with
 * probability 1/4, E h h' = 1/(2 pi) of E over the square 1/2; inputs have cosine 0. */
START_TEST(test_ffn_by_hand) {
    const struct lnstab__spec s = spec_of("none", 1, "gain_v=0 gain_w1=2 gain_w2=3");
    const struct lnstab__moments p = lnstab__costate_at(&s, 1, 2, 0.5);
    assert_near("square", 0, p.q, 1 + 36 * 0.5, 1e-14);
    assert_near("product", 0, p.c, 0.5 + 36 * 0.5 * 0.5 * 0.5, 1e-14);
    const double d = 64, pi = acos(-1);
    assert_near("W_2", 0, lnstab__costate_gradient(&s, LNSTAB__GAIN_W2, 1, 2, 0.5),
                4 * d / 2 * 0.5 * (1 + 0.5 / pi), 1e-12);
    assert_near("W_1", 0, lnstab__costate_gradient(&s, LNSTAB__GAIN_W1, 1, 2, 0.5), 9 * d / 2 * 0.5,
                1e-12);
}
END_TEST

int main(void) {
    const TTest *const tests[] = {test_one_token_keeps_the_product_of_state_and_costate,
                                  test_tokens_that_nothing_mixes,
                                  test_closed_forms,
                                  test_the_output,
                                  test_attention_by_hand,
                                  test_ffn_by_hand};
    return run_tests("costate", tests, sizeof tests / sizeof *tests);
}
