/* model/spec.h: a configuration made definite. */

#include "model/spec.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "model/row_keys.h"
#include "support/main.h"

static lnstab_config config;

static int32_t resolve(const char *assignments, struct lnstab__spec *spec) {
    memset(&config, 0, sizeof config);
    lnstab__config_reset(&config);
    ck_assert_msg(lnstab__config_assign(&config, assignments) == LNSTAB_OK, "%s",
                  config.message.text);
    return lnstab__spec_resolve(&config, spec);
}

static struct lnstab__spec spec_of(const char *assignments) {
    struct lnstab__spec spec;
    ck_assert_msg(resolve(assignments, &spec) == LNSTAB_OK, "%s", config.message.text);
    return spec;
}

START_TEST(test_defaults) {
    const struct lnstab__spec s = spec_of("");
    ck_assert_int_eq(s.layers, 6);
    ck_assert_int_eq(s.width, 512);
    ck_assert_int_eq(s.ffn_width, 2048);
    ck_assert_int_eq(s.heads, 1);
    ck_assert_int_eq(s.vocab, 1000);
    ck_assert_int_eq(s.max_batch, 1);
    ck_assert_int_eq(s.max_tokens, 64);
    ck_assert_int_eq(s.ignore_index, -100);
    ck_assert_int_eq(s.dtype, LNSTAB_FLOAT32);
    ck_assert_int_eq((int)s.norm, (int)LNSTAB__NORM_LAYER);
    ck_assert_double_eq(s.eps, 1e-5);
    ck_assert_str_eq(s.placement->name, "post");
    ck_assert(!s.final_norm && !s.embed_norm && s.bias && s.out_proj && !s.causal && !s.embedded);
    ck_assert(s.head == LNSTAB__HEAD_SEPARATE && s.gradients && s.keep_states == 0);
    ck_assert(s.init == 0 && s.head_init == 2 && s.embed_init == 3 && s.gain_embed.factor == 1);
    ck_assert(s.kv_heads == 1 && s.qk_norm == LNSTAB__QK_NORM_NONE && s.soft_cap == 0);
    ck_assert(s.activation == LNSTAB__RELU && !s.gated && s.positions == LNSTAB__POSITIONS_NONE);
    ck_assert(s.embed_scale == 1 && s.rotary_base == 10000 && s.label_smoothing == 0);
    ck_assert(s.recompute == LNSTAB__RECOMPUTE_NONE);
}
END_TEST

START_TEST(test_every_key_arrives) {
    const struct lnstab__spec s =
        spec_of("layers=3 width=8 ffn_width=5 heads=4 vocab=9 max_batch=2 max_tokens=7 "
                "ignore_index=-1 dtype=float64 norm=rms "
                "eps=0.5 placement=peri final_norm=0 embed_norm=1 init=lecun_normal "
                "head_init=xavier_uniform bias=0 out_proj=0 "
                "causal=1 input=embedded head=none gradients=0 keep_states=2");
    ck_assert(s.layers == 3 && s.width == 8 && s.ffn_width == 5 && s.heads == 4 && s.vocab == 9);
    ck_assert(s.max_batch == 2 && s.max_tokens == 7 && s.ignore_index == -1 &&
              s.dtype == LNSTAB_FLOAT64);
    ck_assert(s.norm == LNSTAB__NORM_RMS && s.eps == 0.5 && !s.final_norm && s.embed_norm);
    ck_assert(s.init == 2 && s.head_init == 1 && !s.bias && !s.out_proj && s.causal && s.embedded);
    ck_assert(s.head == LNSTAB__HEAD_NONE && !s.gradients && s.keep_states == 2);
    ck_assert_str_eq(s.placement->name, "peri");
}
END_TEST

START_TEST(test_every_option_arrives) {
    const struct lnstab__spec s =
        spec_of("width=24 heads=4 kv_heads=2 qk_norm=full soft_cap=30 activation=silu gated=1 "
                "positions=rotary rotary_base=500000 embed_scale=3 head=tied label_smoothing=0.25 "
                "recompute=blocks embed_init=bert gain_embed=0.5*L^-1 layers=2");
    ck_assert(s.kv_heads == 2 && s.qk_norm == LNSTAB__QK_NORM_FULL && s.soft_cap == 30);
    ck_assert(s.activation == LNSTAB__SILU && s.gated && s.positions == LNSTAB__ROTARY);
    ck_assert(s.rotary_base == 500000 && s.embed_scale == 3 && s.head == LNSTAB__HEAD_TIED);
    ck_assert(s.label_smoothing == 0.25 && s.recompute == LNSTAB__RECOMPUTE_BLOCKS);
    ck_assert(s.embed_init == 5 && lnstab__spec_value(&s, s.gain_embed, 1) == 0.25);
    ck_assert_int_eq((int)spec_of("qk_norm=head").qk_norm, (int)LNSTAB__QK_NORM_HEAD);
    ck_assert_int_eq((int)spec_of("activation=gelu").activation, (int)LNSTAB__GELU);
    ck_assert_int_eq((int)spec_of("activation=gelu_tanh").activation, (int)LNSTAB__GELU_TANH);
    ck_assert_int_eq((int)spec_of("positions=learned").positions, (int)LNSTAB__LEARNED);
    ck_assert_int_eq((int)spec_of("positions=sinusoidal").positions, (int)LNSTAB__SINUSOIDAL);
    ck_assert_int_eq((int)spec_of("recompute=attention").recompute,
                     (int)LNSTAB__RECOMPUTE_ATTENTION);
    ck_assert_int_eq((int)spec_of("heads=8").kv_heads, 8); /* follows heads */
}
END_TEST

START_TEST(test_overrides_reach_every_layer) {
    const struct lnstab__spec s = spec_of(
        "layers=9 placement=deepnorm norm_out=1 norm_res=0 alpha=2*L^0.5 gain_v=7 gain_w2=3*l^1");
    for (int64_t l = 1; l <= 9; ++l) {
        const struct lnstab__placement_row row = lnstab__spec_row(&s, 2 * l - 1);
        ck_assert(row.norm_out == 1 && row.norm_res == 0 && row.norm_in == 0);
        ck_assert_double_eq(lnstab__spec_value(&s, row.alpha, l), 6);
        ck_assert_double_eq(lnstab__spec_value(&s, row.gain[LNSTAB__GAIN_V], l), 7);
        ck_assert_double_eq(lnstab__spec_value(&s, row.gain[LNSTAB__GAIN_W2], l), 3 * (double)l);
        ck_assert_double_eq(row.gain[LNSTAB__GAIN_O].depth_power, -0.25); /* the placement's */
    }
}
END_TEST

START_TEST(test_each_gain_key_is_its_own) {
    static const char *const keys[] = {"gain_qk", "gain_v", "gain_o", "gain_w1", "gain_w2"};
    for (int i = 0; i < LNSTAB__GAINS; ++i) {
        char text[40];
        snprintf(text, sizeof text, "%s=0.125", keys[i]);
        const struct lnstab__spec s = spec_of(text);
        for (int j = 0; j < LNSTAB__GAINS; ++j) {
            ck_assert_double_eq(s.rows[0].gain[j].factor, i == j ? 0.125 : 1);
        }
    }
    const struct lnstab__spec s = spec_of("kappa=2 alpha=3 beta=4 placement=mix");
    for (int i = 0; i < 2; ++i) {
        ck_assert(s.rows[i].kappa.factor == 2 && s.rows[i].alpha.factor == 3 &&
                  s.rows[i].beta.factor == 4);
    }
}
END_TEST

/* The value of a rule key in each sublayer of 3 layers, as "a f a f a f". */
static void check_sublayers(const char *words, int id, const double wanted[6]) {
    char text[400];
    snprintf(text, sizeof text, "layers=3 placement=custom %s", words);
    const struct lnstab__spec s = spec_of(text);
    for (int64_t k = 0; k < 6; ++k) {
        const struct lnstab__placement_row row = lnstab__spec_row(&s, k);
        const struct lnstab__value value = lnstab__row_get(&row, id);
        const double got = id <= LNSTAB__KEY_NORM_RES
                               ? (double)value.integer
                               : lnstab__spec_value(&s, value.rule, k / 2 + 1);
        ck_assert_msg(got == wanted[k], "%s: sublayer %d has %g", words, (int)k, got);
    }
}

START_TEST(test_scoped_keys) {
    static const struct {
        const char *words;
        int id;
        double wanted[6];
    } rows[] = {
        {"beta=2 ffn.beta=3", LNSTAB__KEY_BETA, {2, 3, 2, 3, 2, 3}},
        {"ffn.beta=3 beta=2", LNSTAB__KEY_BETA, {2, 3, 2, 3, 2, 3}},
        {"layer.2.beta=5", LNSTAB__KEY_BETA, {1, 1, 5, 5, 1, 1}},
        {"layer.2-L.attn.beta=5*l^1", LNSTAB__KEY_BETA, {1, 1, 10, 1, 15, 1}},
        {"layer.L.alpha=7*L^1", LNSTAB__KEY_ALPHA, {1, 1, 1, 1, 21, 21}},
        {"ffn.dt=3 layer.1.dt=4", LNSTAB__KEY_BETA, {4, 4, 1, 3, 1, 3}},
        {"layer.1.dt=4 ffn.dt=3", LNSTAB__KEY_BETA, {4, 3, 1, 3, 1, 3}},
        {"layer.1.beta=4 ffn.beta=3 layer.1.beta=6", LNSTAB__KEY_BETA, {6, 6, 1, 3, 1, 3}},
        {"norm_in=1 layer.1-2.ffn.norm_in=0", LNSTAB__KEY_NORM_IN, {1, 0, 1, 0, 1, 1}},
        {"attn.norm_out=1 placement=peri", LNSTAB__KEY_NORM_OUT, {1, 1, 1, 1, 1, 1}},
        {"ffn.norm_out=0 placement=peri", LNSTAB__KEY_NORM_OUT, {1, 0, 1, 0, 1, 0}},
        {"attn.gain_v=2 layer.3.gain_v=4", LNSTAB__KEY_GAIN_V, {2, 1, 2, 1, 4, 1}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        check_sublayers(rows[i].words, rows[i].id, rows[i].wanted);
    }
}
END_TEST

/* Between two changes all layers have the rows of the first. */
START_TEST(test_next_change) {
    static const struct {
        const char *words;
        int64_t changes[8]; /* until L + 1 */
    } rows[] = {{"layers=9 mix_fraction=0", {10}},
                {"layers=9 placement=mix", {5, 10}},
                {"layers=9 mix_fraction=1 ffn.beta=2", {10}},
                {"layers=9 mix_fraction=1 layer.3.beta=2", {3, 4, 10}},
                {"layers=9 mix_fraction=1 layer.3-5.beta=2 layer.5-L.alpha=2", {3, 5, 6, 10}},
                {"layers=9 placement=mix layer.1-4.beta=2 layer.L.beta=0", {5, 9, 10}}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        const struct lnstab__spec s = spec_of(rows[i].words);
        int64_t l = 1;
        for (int j = 0; l <= 9; ++j) {
            l = lnstab__spec_next_change(&s, l);
            ck_assert_msg(l == rows[i].changes[j], "%s: %d", rows[i].words, (int)l);
        }
    }
}
END_TEST

/* The paper's names of states go with the norms, however these came to be. */
START_TEST(test_paper_states) {
    static const struct {
        const char *words;
        int64_t layer;
        int named;
    } rows[] = {{"placement=post layers=4", 2, 1},
                {"placement=post layers=4 norm_in=1", 2, 0},
                {"placement=post layers=4 norm_in=1 layer.1-L.norm_in=0", 2, 1},
                {"placement=post layers=4 layer.1-3.norm_in=1 layer.2.norm_in=0", 2, 1},
                {"placement=post layers=4 layer.1-3.norm_in=1 layer.2.norm_in=0", 3, 0},
                {"placement=post layers=4 norm_res=0 layer.1-L.norm_res=1", 4, 1},
                {"placement=pre layers=4 layer.2.ffn.norm_out=1", 2, 0},
                {"placement=mix layers=4 beta=3", 1, 1},
                {"placement=peri layers=4", 1, 0}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        const struct lnstab__spec s = spec_of(rows[i].words);
        ck_assert_msg((*lnstab__spec_paper_states(&s, rows[i].layer) != '\0') == rows[i].named,
                      "%s, layer %d", rows[i].words, (int)rows[i].layer);
    }
}
END_TEST

START_TEST(test_formula_of_scoped_norms) {
    const char *general = lnstab__placement_general_formula();
    const struct lnstab__spec same = spec_of("placement=peri layers=5 layer.2.beta=0.5");
    const struct lnstab__spec back = spec_of("placement=peri layers=5 layer.2.norm_in=1");
    const struct lnstab__spec other = spec_of("placement=peri layers=5 layer.4.attn.norm_in=0");
    ck_assert_str_eq(lnstab__spec_formula(&same), same.placement->formula);
    ck_assert_str_eq(lnstab__spec_formula(&back), back.placement->formula);
    ck_assert_str_eq(lnstab__spec_formula(&other), general);
}
END_TEST

/* floor(a L): 0.29 * 100 is 28.999999999999996 in double. */
START_TEST(test_switch_layer) {
    static const struct {
        const char *fraction;
        int64_t layers, wanted;
    } rows[] = {
        {"0.29", 100, 29}, {"0.57", 100, 57},      {"0.58", 100, 58},    {"0.5", 6, 3},
        {"0.5", 7, 3},     {"0", 12, 0},           {"1", 12, 12},        {"0.25", 24, 6},
        {"0.3", 10, 3},    {"0.7", 10, 7},         {"0.999", 12, 11},    {"0.1", 9, 0},
        {"0.1", 10, 1},    {"0.07", 100000, 7000}, {"0.28999", 100, 28}, {"1", 100000, 100000}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        char text[100];
        snprintf(text, sizeof text, "placement=mix mix_fraction=%s layers=%d", rows[i].fraction,
                 (int)rows[i].layers);
        const struct lnstab__spec s = spec_of(text);
        ck_assert_msg(s.switch_layer == rows[i].wanted, "%s: %d", text, (int)s.switch_layer);
        for (int64_t l = 1; l <= rows[i].layers; l += 1 + rows[i].layers / 50) {
            const struct lnstab__placement_row row = lnstab__spec_row(&s, 2 * l - 1);
            ck_assert_int_eq(row.norm_res, l <= rows[i].wanted);
            ck_assert_int_eq(row.norm_in, l > rows[i].wanted);
        }
    }
}
END_TEST

START_TEST(test_combinations_that_are_refused) {
    static const struct {
        const char *words, *said;
    } rows[] = {
        {"heads=12 width=100", "heads 12 does not divide width 100"},
        {"heads=8 width=4", "heads 8 does not divide width 4"},
        {"max_batch=65536 max_tokens=32768",
         "max_batch 65536 x max_tokens 32768 is more than 2147483647 rows"},
        {"max_batch=16777216 max_tokens=16777216", "is more than"},
        {"heads=4 kv_heads=3", "kv_heads 3 does not divide heads 4"},
        {"heads=4 kv_heads=8", "kv_heads 8 does not divide heads 4"},
        {"width=12 heads=4 positions=rotary", "width 12 / heads 4 is 3"},
        {"head=tied input=embedded", "head=tied needs the table of input=tokens"},
        {"keep_states=1 recompute=attention", "keep_states=1 keeps what recompute=attention"},
        {"keep_states=1 recompute=nonlinear", "keep_states=1 keeps what recompute=nonlinear"},
        {"keep_states=2 recompute=blocks", "keep_states=2 keeps what recompute=blocks"},
        {"layers=4 gradients_from=5", "gradients_from 5 is more than layers 4"},
        {"layers=4 layer.2-5.beta=2", "layer.5 of key beta is outside 1..4"},
        {"layers=4 layer.9-L.ffn.beta=2", "layer.9 of key beta is outside 1..4"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        struct lnstab__spec spec;
        ck_assert_int_eq(resolve(rows[i].words, &spec), LNSTAB_ERROR_ARGUMENT);
        ck_assert_msg(strstr(config.message.text, rows[i].said) != NULL, "%s", config.message.text);
    }
    spec_of("max_batch=65536 max_tokens=32767");
    spec_of("max_batch=1 max_tokens=16777216");
    spec_of("heads=4 width=4");
    spec_of("heads=4 width=8 positions=rotary kv_heads=1");
    spec_of("head=tied");
    spec_of("layers=4 gradients_from=4");
    spec_of("width=1048576");
}
END_TEST

/* Numbers that are finite can make a rule that is not, and then no model: alpha 1e300 x 6^300. */
START_TEST(test_coefficients_must_be_finite) {
    static const char *const words[] = {"alpha=1e300*L^300",      "kappa=1*l^500 layers=10",
                                        "gain_v=1*L^1000",        "placement=mix beta=1e308*L^2",
                                        "gain_embed=1e300*L^300", "layer.3.ffn.beta=1*l^1000",
                                        "layer.2-L.alpha=1*l^500"};
    for (size_t i = 0; i < sizeof words / sizeof *words; ++i) {
        struct lnstab__spec spec;
        ck_assert_msg(resolve(words[i], &spec) == LNSTAB_ERROR_ARGUMENT, "%s is taken", words[i]);
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("spec");
    TCase *cases = tcase_create("spec");
    tcase_add_test(cases, test_defaults);
    tcase_add_test(cases, test_every_key_arrives);
    tcase_add_test(cases, test_every_option_arrives);
    tcase_add_test(cases, test_overrides_reach_every_layer);
    tcase_add_test(cases, test_each_gain_key_is_its_own);
    tcase_add_test(cases, test_scoped_keys);
    tcase_add_test(cases, test_next_change);
    tcase_add_test(cases, test_paper_states);
    tcase_add_test(cases, test_formula_of_scoped_norms);
    tcase_add_test(cases, test_switch_layer);
    tcase_add_test(cases, test_combinations_that_are_refused);
    tcase_add_test(cases, test_coefficients_must_be_finite);
    suite_add_tcase(suite, cases);
    return run_suite(suite);
}
