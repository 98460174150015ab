/* analysis/assumptions.h: the first thing that a statement does not cover. */

#include "analysis/assumptions.h"

#include "support/main.h"
#include "unit/theory_fixture.h"

typedef const char *broken_fn(const struct lnstab__spec *spec);

/* The theory setting of a placement, with one thing changed. */
static struct lnstab__spec changed(const char *placement, const char *words) {
    struct lnstab__spec spec;
    lnstab_config *c = theory_config(placement, 6, 1, 64);
    ck_good(lnstab_config_message(c), lnstab_config_set(c, words));
    ck_good(lnstab_config_message(c), lnstab__spec_resolve(c, &spec));
    lnstab_config_destroy(c);
    return spec;
}

static void assert_broken(broken_fn *broken, const char *placement, const char *words,
                          const char *said) {
    const struct lnstab__spec spec = changed(placement, words);
    const char *told = broken(&spec);
    ck_assert_msg(told != NULL, "%s %s is covered", placement, words);
    ck_assert_msg(strstr(told, said) == told, "%s %s: %s", placement, words, told);
}

static void assert_covered(broken_fn *broken, const char *placement, const char *words) {
    const struct lnstab__spec spec = changed(placement, words);
    ck_assert_msg(broken(&spec) == NULL, "%s %s: %s", placement, words, broken(&spec));
}

static const char *const for_both[][2] = {{"gain_qk=1", "gain_qk must be 0"},
                                          {"gain_qk=1e-9", "gain_qk must be 0"},
                                          {"gain_qk=1*l^-1", "gain_qk must be 0"},
                                          {"causal=1", "causal must be 0"},
                                          {"init=lecun_normal", "init must be xavier"},
                                          {"gain_qk=1 causal=1", "gain_qk must be 0"},
                                          {"init=gpt2", "init must be xavier"},
                                          {"init=bert", "init must be xavier"},
                                          {"activation=gelu", "activation must be"},
                                          {"activation=silu", "activation must be"},
                                          {"gated=1", "gated must be 0"},
                                          {"qk_norm=head", "qk_norm must be none"},
                                          {"qk_norm=full", "qk_norm must be none"},
                                          {"eps=1.1e-5", "eps must be at most 1e-5"},
                                          {"positions=learned", "positions must be"},
                                          {"positions=sinusoidal", "positions must be"},
                                          {"embed_init=gpt2", "embed_init must be"},
                                          {"embed_scale=2", "embed_init must be"},
                                          {"gain_embed=0.5", "embed_init must be"},
                                          {"gain_embed=1*L^-0.5", "embed_init must be"}};

START_TEST(test_mean_field) {
    static const char *const covered[] = {"",
                                          "heads=4 bias=1 out_proj=1",
                                          "norm=rms eps=1e-5",
                                          "alpha=2 beta=0.1*L^-1 kappa=3 gain_v=0.5",
                                          "init=xavier_uniform head_init=lecun_normal",
                                          "gain_qk=0*L^3",
                                          "gain_qk=-0",
                                          "norm_in=1 norm_out=1",
                                          "positions=rotary soft_cap=50",
                                          "label_smoothing=0.1 head=tied recompute=blocks",
                                          "input=embedded embed_scale=2 embed_init=gpt2"};
    for (int p = 0; p < lnstab__placement_count(); ++p) {
        const char *placement = lnstab__placement_at(p)->name;
        for (size_t i = 0; i < sizeof covered / sizeof *covered; ++i) {
            assert_covered(lnstab__breaks_mean_field, placement, covered[i]);
        }
        for (size_t i = 0; i < sizeof for_both / sizeof *for_both; ++i) {
            assert_broken(lnstab__breaks_mean_field, placement, for_both[i][0], for_both[i][1]);
        }
    }
}
END_TEST

/* Heads that share values are not covered: their fan is another one. */
START_TEST(test_shared_values) {
    assert_broken(lnstab__breaks_mean_field, "peri", "heads=4 kv_heads=2",
                  "kv_heads must be heads");
    assert_covered(lnstab__breaks_mean_field, "peri", "heads=4 kv_heads=4");
}
END_TEST

START_TEST(test_w_o) {
    for (size_t i = 0; i < sizeof for_both / sizeof *for_both; ++i) {
        assert_broken(lnstab__breaks_w_o, "peri", for_both[i][0], for_both[i][1]);
    }
    assert_broken(lnstab__breaks_w_o, "peri", "out_proj=0", "out_proj must be 1");
    assert_covered(lnstab__breaks_w_o, "peri", "out_proj=1");
}
END_TEST

/* One sublayer of a kind that the recursion does not have is enough. */
START_TEST(test_scoped_keys) {
    assert_broken(lnstab__breaks_mean_field, "pre", "layer.3.gain_qk=1", "gain_qk must be 0");
    assert_broken(lnstab__breaks_mean_field, "mix", "layer.L.attn.gain_qk=0.1",
                  "gain_qk must be 0");
    assert_covered(lnstab__breaks_mean_field, "pre",
                   "ffn.norm_out=1 layer.2-3.alpha=0.5 layer.L.ffn.gain_w2=0.1*L^-1");
    assert_covered(lnstab__breaks_head, "none", "layer.L.ffn.norm_res=1");
    assert_broken(lnstab__breaks_head, "post", "layer.L.ffn.norm_res=0", "final_norm must be 1");
    assert_broken(lnstab__breaks_head, "none", "layer.L.attn.norm_res=1", "final_norm must be 1");
}
END_TEST

START_TEST(test_head) {
    static const char *const covered[] = {
        "", "head_init=lecun_normal vocab=80", "head_init=xavier_normal vocab=1000",
        "head_init=gpt2 vocab=20", "head_init=lecun_normal vocab=74"};
    static const char *const broken[][2] = {
        {"head=none", "head must be separate"},
        {"head=tied input=tokens", "head must be separate"},
        {"label_smoothing=0.1", "label_smoothing must be 0"},
        {"head_init=lecun_normal vocab=73", "vocab must be at least"},
        {"head_init=unit_normal vocab=50000", "vocab must be at least"},
        {"head_init=xavier_normal vocab=32", "vocab must be at least"}};
    static const char *const placements[] = {"post", "pre", "peri", "deepnorm"};
    for (int p = 0; p < 4; ++p) {
        for (size_t i = 0; i < sizeof covered / sizeof *covered; ++i) {
            assert_covered(lnstab__breaks_head, placements[p], covered[i]);
        }
        for (size_t i = 0; i < sizeof broken / sizeof *broken; ++i) {
            assert_broken(lnstab__breaks_head, placements[p], broken[i][0], broken[i][1]);
        }
        for (size_t i = 0; i < sizeof for_both / sizeof *for_both; ++i) {
            assert_broken(lnstab__breaks_head, placements[p], for_both[i][0], for_both[i][1]);
        }
    }
    assert_broken(lnstab__breaks_head, "none", "", "final_norm must be 1, or norm_res");
    assert_broken(lnstab__breaks_head, "pre", "final_norm=0", "final_norm must be 1, or norm_res");
}
END_TEST

START_TEST(test_post_or_pre) {
    static const char *const placements[] = {"post", "pre"};
    static const char *const broken[][2] = {{"heads=2", "heads must be 1"},
                                            {"out_proj=1", "out_proj must be 0"},
                                            {"bias=1", "bias must be 0"},
                                            {"eps=1e-300", "eps must be 0"},
                                            {"norm_out=1", "placement must be"},
                                            {"norm_in=1 norm_res=1", "placement must be"},
                                            {"norm_in=0 norm_res=0", "placement must be"},
                                            {"kappa=0.5", "kappa must be 1"},
                                            {"alpha=2", "alpha must be 1"},
                                            {"alpha=1*L^0.25", "alpha must be 1"},
                                            {"beta=0.1", "beta must be 1"},
                                            {"beta=1*l^-0.5", "beta must be 1"},
                                            {"gain_v=0.5", "gain_v, gain_w1 and gain_w2"},
                                            {"gain_w1=0.5", "gain_v, gain_w1 and gain_w2"},
                                            {"gain_w2=2", "gain_v, gain_w1 and gain_w2"}};
    for (int p = 0; p < 2; ++p) {
        assert_covered(lnstab__breaks_post_or_pre, placements[p], "");
        assert_covered(lnstab__breaks_post_or_pre, placements[p],
                       "norm=rms init=xavier_uniform embed_norm=1 layers=1");
        assert_covered(lnstab__breaks_post_or_pre, placements[p], "gain_o=7"); /* there is no W_O */
        for (size_t i = 0; i < sizeof for_both / sizeof *for_both; ++i) {
            assert_broken(lnstab__breaks_post_or_pre, placements[p], for_both[i][0],
                          for_both[i][1]);
        }
        for (size_t i = 0; i < sizeof broken / sizeof *broken; ++i) {
            assert_broken(lnstab__breaks_post_or_pre, placements[p], broken[i][0], broken[i][1]);
        }
    }
    assert_broken(lnstab__breaks_post_or_pre, "post", "final_norm=1", "placement must be");
    assert_broken(lnstab__breaks_post_or_pre, "pre", "final_norm=0", "placement must be");
    assert_broken(lnstab__breaks_post_or_pre, "post", "layers=1 heads=2", "heads must be 1");
}
END_TEST

START_TEST(test_other_placements) {
    static const char *const names[] = {"none", "peri", "output-norm", "mix"};
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
        assert_broken(lnstab__breaks_post_or_pre, names[i], "", "placement must be");
    }
    assert_broken(lnstab__breaks_post_or_pre, "deepnorm", "", "alpha must be 1");
    assert_broken(lnstab__breaks_post_or_pre, "ln-scaling", "", "kappa must be 1");
    assert_covered(lnstab__breaks_post_or_pre, "mix", "mix_fraction=0"); /* pre */
    assert_broken(lnstab__breaks_post_or_pre, "mix", "mix_fraction=1",
                  "placement must be"); /* post, final norm */
    assert_covered(lnstab__breaks_post_or_pre, "mix", "mix_fraction=1 final_norm=0");
    assert_broken(lnstab__breaks_post_or_pre, "mix", "mix_fraction=0.99 final_norm=0",
                  "placement must be"); /* the last layer only */
    assert_covered(lnstab__breaks_post_or_pre, "ln-scaling", "kappa=1");
}
END_TEST

START_TEST(test_is_post) {
    static const struct {
        const char *placement, *words;
        int post;
    } rows[] = {{"post", "", 1},
                {"pre", "", 0},
                {"deepnorm", "", 1},
                {"mix", "", 0},
                {"post", "final_norm=1", 0},
                {"none", "norm_res=1", 1},
                {"post", "norm_in=1", 0}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        const struct lnstab__spec spec = changed(rows[i].placement, rows[i].words);
        ck_assert_msg(lnstab__is_post(&spec) == rows[i].post, "%s %s", rows[i].placement,
                      rows[i].words);
        ck_assert_ptr_null(lnstab__breaks_nothing(&spec));
    }
}
END_TEST

START_TEST(test_layer_norm) {
    assert_covered(lnstab__breaks_layer_norm, "post", "");
    assert_broken(lnstab__breaks_layer_norm, "post", "norm=rms", "norm must be layer");
}
END_TEST

START_TEST(test_what_weights_bound) {
    static const char gated[] = "gated must be 0";
    assert_covered(lnstab__breaks_branch_bounds, "pre", "qk_norm=head");
    assert_covered(lnstab__breaks_branch_bounds, "peri", "gated=1");
    assert_covered(lnstab__breaks_branch_bounds, "post", "gated=1");
    assert_broken(lnstab__breaks_branch_bounds, "pre", "gated=1", gated);
    assert_broken(lnstab__breaks_branch_bounds, "peri", "gated=1 layer.6.ffn.norm_out=0", gated);
    assert_covered(lnstab__breaks_branch_bounds, "peri", "gated=1 attn.norm_out=0");
    assert_covered(lnstab__breaks_lipschitz, "pre", "soft_cap=1 positions=rotary activation=silu");
    assert_broken(lnstab__breaks_lipschitz, "peri", "gated=1", gated);
    assert_broken(lnstab__breaks_lipschitz, "peri", "qk_norm=full", "qk_norm must be none");
}
END_TEST

START_TEST(test_gaussian_inputs) {
    assert_covered(lnstab__breaks_gaussian_inputs, "peri", "causal=1 gain_qk=1 init=gpt2");
    assert_covered(lnstab__breaks_gaussian_inputs, "post",
                   "input=tokens embed_init=unit_normal positions=rotary");
    assert_broken(lnstab__breaks_gaussian_inputs, "post", "embed_norm=1", "embed_norm must be 0");
    assert_broken(lnstab__breaks_gaussian_inputs, "post", "positions=sinusoidal",
                  "positions must be none or rotary");
    assert_broken(lnstab__breaks_gaussian_inputs, "post",
                  "input=tokens embed_init=unit_normal embed_scale=2", "embed_init must be");
}
END_TEST

START_TEST(test_xavier_relu) {
    assert_covered(lnstab__breaks_xavier_relu, "peri",
                   "causal=1 gain_qk=1 init=xavier_uniform embed_norm=1");
    assert_broken(lnstab__breaks_xavier_relu, "peri", "init=lecun_normal", "init must be xavier");
    assert_broken(lnstab__breaks_xavier_relu, "peri", "activation=gelu", "activation must be relu");
    assert_broken(lnstab__breaks_xavier_relu, "peri", "gated=1", "gated must be 0");
}
END_TEST

int main(void) {
    Suite *suite = suite_create("assumptions");
    TCase *cases = tcase_create("assumptions");
    tcase_add_test(cases, test_mean_field);
    tcase_add_test(cases, test_shared_values);
    tcase_add_test(cases, test_w_o);
    tcase_add_test(cases, test_scoped_keys);
    tcase_add_test(cases, test_head);
    tcase_add_test(cases, test_post_or_pre);
    tcase_add_test(cases, test_other_placements);
    tcase_add_test(cases, test_is_post);
    tcase_add_test(cases, test_layer_norm);
    tcase_add_test(cases, test_what_weights_bound);
    tcase_add_test(cases, test_gaussian_inputs);
    tcase_add_test(cases, test_xavier_relu);
    suite_add_tcase(suite, cases);
    return run_suite(suite);
}
