/* Presets: known models by name, with the published numbers of parameters. */

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/handles.h"
#include "support/main.h"

static const char *name_at(int32_t i) {
    return lnstab_table_text("presets", i, "name");
}

static lnstab_config *preset(const char *name, const char *more) {
    char words[300];
    snprintf(words, sizeof words, "preset=%s %s", name, more);
    return new_config(words);
}

static void text_of(lnstab_config *c, const char *key, char text[120]) {
    ck_good(lnstab_config_message(c), lnstab_config_get_str(c, key, text, 120, NULL));
}

static int64_t integer_of(lnstab_config *c, const char *key) {
    int64_t value;
    ck_good(lnstab_config_message(c), lnstab_config_get_i64(c, key, &value));
    return value;
}

static int is(lnstab_config *c, const char *key, const char *wanted) {
    char text[120];
    text_of(c, key, text);
    return strcmp(text, wanted) == 0;
}

/* The number behind a key of the description. */
static double described(lnstab_config *c, const char *key) {
    char pattern[60];
    size_t needed;
    lnstab_config_describe(c, NULL, 0, &needed);
    char *json = malloc(needed);
    ck_good(lnstab_config_message(c), lnstab_config_describe(c, json, needed, NULL));
    snprintf(pattern, sizeof pattern, "\"%s\": ", key);
    const char *at = strstr(json, pattern);
    ck_assert_msg(at != NULL, "no %s", key);
    const double value = strtod(at + strlen(pattern), NULL);
    free(json);
    return value;
}

/* ---- the number of parameters, by the formulas ---- */

/* A norm over n entries: gamma, and a bias where it is a LayerNorm. */
static int64_t norm_count(lnstab_config *c, int64_t n) {
    return is(c, "norm", "layer") ? 2 * n : n;
}

static int64_t layer_count(lnstab_config *c) {
    const int64_t d = integer_of(c, "width"), ffn = integer_of(c, "ffn_width"),
                  head_dim = d / integer_of(c, "heads"), kv = head_dim * integer_of(c, "kv_heads");
    const int64_t out = integer_of(c, "out_proj"), bias = integer_of(c, "bias"),
                  up = 1 + integer_of(c, "gated");
    const int64_t norms =
        integer_of(c, "norm_in") + integer_of(c, "norm_out") + integer_of(c, "norm_res");
    const int64_t attention = (1 + out) * (d * d + bias * d) + 2 * (d * kv + bias * kv);
    const int64_t mlp = up * (d * ffn + bias * ffn) + ffn * d + bias * d;
    const int64_t placed = is(c, "qk_norm", "full")   ? norm_count(c, d) + norm_count(c, kv)
                           : is(c, "qk_norm", "head") ? 2 * norm_count(c, head_dim)
                                                      : 0;
    return attention + mlp + 2 * norms * norm_count(c, d) + placed;
}

static int64_t parameter_count(lnstab_config *c) {
    const int64_t d = integer_of(c, "width"), vocab = integer_of(c, "vocab");
    const int64_t ends = integer_of(c, "embed_norm") + integer_of(c, "final_norm");
    const int64_t tables = is(c, "head", "separate") ? 2 : 1;
    const int64_t positions = is(c, "positions", "learned") ? integer_of(c, "max_tokens") : 0;
    return tables * vocab * d + positions * d + ends * norm_count(c, d) +
           integer_of(c, "layers") * layer_count(c);
}

START_TEST(test_counts_by_formula) {
    for (int32_t i = 0; i < lnstab_table_count("presets"); ++i) {
        size_t bytes;
        lnstab_config *c = preset(name_at(i), "");
        ck_assert_msg(described(c, "parameter_count") == (double)parameter_count(c), "%s: %.0f",
                      name_at(i), described(c, "parameter_count"));
        ck_good(lnstab_config_message(c), lnstab_model_size(c, &bytes));
        ck_assert_double_eq(described(c, "bytes"), (double)bytes);
        lnstab_config_destroy(c);
    }
}
END_TEST

/* GPT-2's checkpoints; BERT's less two segments and a pooler (109482240 - 2 d - d^2 - d, and 335141888);
 * OLMo 2 1B. */
START_TEST(test_published_counts) {
    static const struct {
        const char *name;
        int64_t count;
    } published[] = {
        {"gpt2-124m", 124439808},
        {"gpt2-355m", 354823168},
        {"gpt2-774m", 774030080},
        {"gpt2-1.5b", 1557611200},
        {"bert-base", 109482240 - 2 * 768 - 768 * 768 - 768},
        {"bert-large", 335141888 - 2 * 1024 - 1024 * 1024 - 1024},
        {"olmo2-block", 1484916736},
    };
    for (size_t i = 0; i < sizeof published / sizeof *published; ++i) {
        lnstab_config *c = preset(published[i].name, "");
        ck_assert_msg(described(c, "parameter_count") == (double)published[i].count, "%s: %.0f",
                      published[i].name, described(c, "parameter_count"));
        lnstab_config_destroy(c);
    }
}
END_TEST

/* ---- the table ---- */

START_TEST(test_names_match_the_choices) {
    char words[400];
    int32_t row = 0;
    for (int32_t i = 0; i < lnstab_table_count("keys"); ++i) {
        if (strcmp(lnstab_table_text("keys", i, "name"), "preset") == 0) {
            snprintf(words, sizeof words, "%s", lnstab_table_text("keys", i, "range"));
        }
    }
    for (char *word = strtok(words, " "); word; word = strtok(NULL, " "), ++row) {
        ck_assert_str_eq(word, name_at(row));
    }
    ck_assert_int_eq(row, lnstab_table_count("presets"));
    ck_assert_str_eq(name_at(0), "none");
    ck_assert_str_eq(lnstab_table_text("presets", 0, "assignments"), "");
    ck_assert_ptr_null(lnstab_table_text("presets", 0, "words"));
}
END_TEST

/* A preset is its assignments, for every key that is not preset itself. */
START_TEST(test_a_preset_is_its_assignments) {
    for (int32_t i = 0; i < lnstab_table_count("presets"); ++i) {
        lnstab_config *a = preset(name_at(i), "");
        lnstab_config *b = new_config(lnstab_table_text("presets", i, "assignments"));
        for (int32_t key = 0; key < lnstab_table_count("keys"); ++key) {
            const char *name = lnstab_table_text("keys", key, "name");
            char held[120];
            text_of(a, name, held);
            ck_assert_msg(strcmp(name, "preset") == 0 || is(b, name, held), "%s: %s=%s", name_at(i),
                          name, held);
        }
        lnstab_config_destroy(a);
        lnstab_config_destroy(b);
    }
}
END_TEST

/* ---- keys come first, in any order ---- */

START_TEST(test_keys_override_in_any_order) {
    static const char *const orders[] = {
        "preset=gpt2-124m layers=3 placement=post vocab=100 beta=0.5",
        "layers=3 preset=gpt2-124m placement=post vocab=100 beta=0.5",
        "layers=3 beta=0.5 placement=post vocab=100 preset=gpt2-124m",
        "preset=bert-large beta=0.5 layers=3 preset=gpt2-124m placement=post vocab=100"};
    for (size_t i = 0; i < sizeof orders / sizeof *orders; ++i) {
        lnstab_config *c = new_config(orders[i]);
        ck_assert(is(c, "preset", "gpt2-124m") && is(c, "layers", "3") && is(c, "vocab", "100"));
        ck_assert(is(c, "placement", "post") && is(c, "norm_res", "1") && is(c, "norm_in", "0"));
        ck_assert(is(c, "final_norm", "0") && is(c, "beta", "0.5") && is(c, "width", "768"));
        ck_assert(is(c, "activation", "gelu_tanh") && is(c, "embed_norm", "0"));
        lnstab_config_destroy(c);
    }
}
END_TEST

/* Every single key, before the preset and behind it. */
START_TEST(test_every_key_overrides_every_preset) {
    static const char *const words[] = {"layers=2",
                                        "width=160",
                                        "heads=2",
                                        "kv_heads=1",
                                        "ffn_width=9",
                                        "vocab=8",
                                        "max_tokens=3",
                                        "norm=rms",
                                        "norm=layer",
                                        "eps=0.25",
                                        "norm_in=1",
                                        "norm_out=1",
                                        "norm_res=1",
                                        "final_norm=0",
                                        "embed_norm=1",
                                        "kappa=0.5",
                                        "alpha=2*L^0.5",
                                        "gain_v=0",
                                        "init=lecun_normal",
                                        "head_init=bert",
                                        "embed_init=olmo2",
                                        "gain_embed=3",
                                        "bias=0",
                                        "out_proj=0",
                                        "causal=0",
                                        "qk_norm=head",
                                        "soft_cap=7",
                                        "activation=silu",
                                        "gated=0",
                                        "embed_scale=5",
                                        "positions=none",
                                        "rotary_base=99",
                                        "head=separate",
                                        "ignore_index=-1",
                                        "label_smoothing=1",
                                        "gradients=0",
                                        "dtype=float64",
                                        "keep_states=1",
                                        "recompute=blocks",
                                        "max_batch=2",
                                        "placement=peri",
                                        "mix_fraction=0.25"};
    for (int32_t i = 0; i < lnstab_table_count("presets"); ++i) {
        for (size_t w = 0; w < sizeof words / sizeof *words; ++w) {
            char key[40];
            const char *value = strchr(words[w], '=') + 1;
            snprintf(key, sizeof key, "%.*s", (int)(value - 1 - words[w]), words[w]);
            lnstab_config *behind = preset(name_at(i), words[w]), *before = new_config(words[w]);
            char again[60];
            snprintf(again, sizeof again, "preset=%s", name_at(i));
            ck_good(lnstab_config_message(before), lnstab_config_set(before, again));
            ck_assert_msg(is(behind, key, value) && is(before, key, value), "%s of %s", words[w],
                          name_at(i));
            lnstab_config_destroy(behind);
            lnstab_config_destroy(before);
        }
    }
}
END_TEST

START_TEST(test_a_preset_can_be_taken_back) {
    lnstab_config *c = preset("gemma2-block", "");
    ck_good(lnstab_config_message(c), lnstab_config_set(c, "preset=none"));
    ck_assert(is(c, "width", "512") && is(c, "placement", "post") && is(c, "soft_cap", "0"));
    ck_assert_int_eq(lnstab_config_set(c, "preset=gemma3"), LNSTAB_ERROR_NAME);
    ck_assert_ptr_nonnull(strstr(lnstab_config_message(c), "gemma3"));
    ck_assert_ptr_nonnull(strstr(lnstab_config_message(c), "gemma2-block"));
    ck_assert(is(c, "preset", "none"));
    lnstab_config_destroy(c);
}
END_TEST

/* ---- they run ---- */

/* A small model of each: a loss near that of guessing, and a gradient everywhere. */
START_TEST(test_each_runs) {
    static const int32_t tokens[] = {1, 2, 3, 4, 5, 6}, targets[] = {2, 3, 4, 5, 6, 7};
    for (int32_t i = 0; i < lnstab_table_count("presets"); ++i) {
        double loss, norm;
        int64_t nonfinite;
        lnstab_config *c =
            preset(name_at(i), "layers=2 width=48 heads=4 ffn_width=80 vocab=50 max_tokens=6");
        lnstab_model *m = NULL;
        ck_good(lnstab_config_message(c), lnstab_model_create(c, &m));
        ck_good(lnstab_model_message(m), lnstab_model_init(m, 1));
        ck_good(lnstab_model_message(m), lnstab_model_forward(m, 1, 6, tokens, NULL));
        ck_good(lnstab_model_message(m), lnstab_model_loss(m, targets, &loss, NULL));
        ck_good(lnstab_model_message(m), lnstab_model_backward(m, NULL));
        lnstab_model_health(m, "gradients", &norm, NULL, &nonfinite, NULL, NULL);
        ck_assert_msg(isfinite(loss) && loss > 0, "%s: loss %g", name_at(i), loss);
        ck_assert_msg(nonfinite == 0 && norm > 0, "%s: gradient %g", name_at(i), norm);
        lnstab_model_destroy(m);
        lnstab_config_destroy(c);
    }
}
END_TEST

int main(void) {
    static const TTest *tests[8];
    tests[0] = test_counts_by_formula;
    tests[1] = test_published_counts;
    tests[2] = test_names_match_the_choices;
    tests[3] = test_a_preset_is_its_assignments;
    tests[4] = test_keys_override_in_any_order;
    tests[5] = test_every_key_overrides_every_preset;
    tests[6] = test_a_preset_can_be_taken_back;
    tests[7] = test_each_runs;
    return run_tests("presets", tests, sizeof tests / sizeof *tests);
}
