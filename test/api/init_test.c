/* Initial weights: what describe says of each tensor, against the formulas of the schemes and against the
 * weights themselves. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/handles.h"
#include "support/main.h"

static const char *const schemes[] = {
    "xavier_normal", "xavier_uniform", "lecun_normal", "unit_normal", "gpt2", "bert", "olmo2"};
enum { SCHEMES = sizeof schemes / sizeof *schemes };

static char *describe(lnstab_model *m) {
    size_t needed;
    ck_assert_int_eq(lnstab_model_describe(m, NULL, 0, &needed), LNSTAB_ERROR_CAPACITY);
    char *json = malloc(needed);
    ck_good(lnstab_model_message(m), lnstab_model_describe(m, json, needed, NULL));
    return json;
}

/* What stands behind "key": in the object that names name. */
static const char *member(const char *json, const char *name, const char *key) {
    char pattern[96];
    snprintf(pattern, sizeof pattern, "{\"name\": \"%s\",", name);
    const char *object = strstr(json, pattern);
    ck_assert_msg(object != NULL, "no %s", name);
    snprintf(pattern, sizeof pattern, "\"%s\": ", key);
    const char *at = strstr(object, pattern);
    ck_assert_msg(at != NULL && at < strchr(object, '}'), "no %s in %s", key, name);
    return at + strlen(pattern);
}

static double number_of(const char *json, const char *name, const char *key) {
    return strtod(member(json, name, key), NULL);
}

/* ---- measured ---- */

static void check_spread(const char *json, const lnstab_tensor *t) {
    const char *name = lnstab_tensor_name(t);
    const size_t n = tensor_count(t);
    const double mean = number_of(json, name, "mean"), std = number_of(json, name, "std");
    double sum = 0, squares = 0;
    for (size_t j = 0; j < n; ++j) {
        const double x = entry(lnstab_tensor_data(t), lnstab_tensor_dtype(t), j) - mean;
        sum += x;
        squares += x * x;
    }
    /* the standard error of a sample's root mean square is at most std/sqrt(2n), that of its mean
     * std/sqrt(n) */
    const double error = std / sqrt((double)n);
    ck_assert_msg(fabs(sqrt(squares / (double)n) - std) <= 5 * error / sqrt(2), "%s: %g, not %g",
                  name, sqrt(squares / (double)n), std);
    ck_assert_msg(fabs(sum / (double)n) <= 5 * error, "%s: mean off by %g", name, sum / (double)n);
}

/* Every parameter of a drawn model. Returns how many are no constant. */
static int check_spreads(const char *words) {
    lnstab_model *m = new_model(words);
    ck_good(lnstab_model_message(m), lnstab_model_init(m, 8));
    char *json = describe(m);
    int drawn = 0;
    for (int32_t i = 0; i < lnstab_model_tensor_count(m); ++i) {
        const lnstab_tensor *t = lnstab_model_tensor_at(m, i);
        if (strcmp(lnstab_tensor_role(t), "parameter") == 0) {
            check_spread(json, t);
            drawn += number_of(json, lnstab_tensor_name(t), "std") > 0;
        }
    }
    free(json);
    lnstab_model_destroy(m);
    return drawn;
}

START_TEST(test_every_scheme) {
    char words[400];
    snprintf(words, sizeof words,
             "layers=3 width=48 ffn_width=80 vocab=50 heads=4 kv_heads=2 gated=1 qk_norm=full "
             "positions=learned max_tokens=16 embed_norm=1 dtype=float64 init=%s head_init=%s "
             "embed_init=%s placement=%s",
             schemes[_i], schemes[(_i + 1) % SCHEMES], schemes[(_i + 2) % SCHEMES],
             _i % 2 ? "peri" : "deepnorm");
    ck_assert_int_eq(check_spreads(words), 3 + 3 * 7);
}
END_TEST

/* Every preset, as it is but for its size. */
START_TEST(test_every_preset) {
    for (int32_t i = 0; i < lnstab_table_count("presets"); ++i) {
        char words[400];
        snprintf(words, sizeof words,
                 "preset=%s layers=3 width=96 heads=8 ffn_width=160 vocab=200 max_tokens=32 "
                 "gradients=0",
                 lnstab_table_text("presets", i, "name"));
        ck_assert_int_ge(check_spreads(words), 1 + 3 * 6);
    }
}
END_TEST

/* ---- by the formulas ---- */

enum { L = 3, D = 48, FFN = 80, V = 50, TOKENS = 16 };
enum { HEADS = 4, KV_HEADS = 2, KV = D / HEADS * KV_HEADS };

/* The standard deviation of a matrix [out, in]; ends: it is the last of a branch. */
static double formula(const char *scheme, double in, double out, int ends) {
    const double cut = 0.87962566103423978; /* of a standard normal cut at 2 */
    return strncmp(scheme, "xavier", 6) == 0     ? sqrt(2 / (in + out))
           : strcmp(scheme, "lecun_normal") == 0 ? sqrt(1 / in)
           : strcmp(scheme, "unit_normal") == 0  ? 1
           : strcmp(scheme, "gpt2") == 0 && ends ? 0.02 / sqrt(2.0 * L)
           : strcmp(scheme, "bert") == 0         ? 0.02 * cut
                                                 : 0.02;
}

static void expect_std(const char *json, const char *name, double wanted) {
    const double std = number_of(json, name, "std");
    ck_assert_msg(fabs(std - wanted) <= 1e-9 * wanted, "%s: %.15g, not %.15g", name, std, wanted);
}

/* Q, K and V each by its own fan, never as one packed matrix; tables too. */
START_TEST(test_the_fans) {
    static const struct {
        const char *name;
        int in, out, ends;
    } matrices[] = {{"w_q", D, D, 0},   {"w_k", D, KV, 0},  {"w_v", D, KV, 0}, {"w_o", D, D, 1},
                    {"w_1", D, FFN, 0}, {"w_2", FFN, D, 1}, {"w_3", D, FFN, 0}};
    const char *scheme = schemes[_i], *next = schemes[(_i + 1) % SCHEMES];
    char words[400], name[40];
    snprintf(words, sizeof words,
             "placement=pre layers=%d width=%d ffn_width=%d vocab=%d heads=%d kv_heads=%d gated=1 "
             "positions=learned max_tokens=%d init=%s head_init=%s embed_init=%s",
             L, D, FFN, V, HEADS, KV_HEADS, TOKENS, scheme, next, next);
    lnstab_model *m = new_model(words);
    char *json = describe(m);
    for (size_t i = 0; i < sizeof matrices / sizeof *matrices; ++i) {
        for (int l = 1; l <= L; ++l) {
            snprintf(name, sizeof name, "layer.%d.%s.%s", l, i < 4 ? "attn" : "ffn",
                     matrices[i].name);
            expect_std(json, name,
                       formula(scheme, matrices[i].in, matrices[i].out, matrices[i].ends));
        }
    }
    expect_std(json, "head.w", formula(next, D, V, 0));
    expect_std(json, "embed.token", formula(next, D, V, 0));
    expect_std(json, "embed.position", formula(next, D, TOKENS, 0));
    const char *kind = strcmp(scheme, "xavier_uniform") == 0 ? "\"uniform\""
                       : strcmp(scheme, "bert") == 0         ? "\"truncated normal\""
                                                             : "\"normal\"";
    ck_assert_int_eq(strncmp(member(json, "layer.2.attn.w_v", "init"), kind, strlen(kind)), 0);
    free(json);
    lnstab_model_destroy(m);
}
END_TEST

/* What a word of a preset starts its matrices with. */
START_TEST(test_the_schemes_of_presets) {
    static const struct {
        const char *preset, *tensor;
        double std;
    } rows[] = {{"xiong2020-encoder", "layer.3.attn.w_v", 0.044194173824159223},
                {"xiong2020-encoder", "embed.token", 0.044194173824159223},
                {"bert-base", "layer.12.ffn.w_2", 0.01759251},
                {"bert-large", "embed.position", 0.01759251},
                {"gpt2-124m", "layer.12.ffn.w_1", 0.02},
                {"gpt2-124m", "layer.12.ffn.w_2", 0.0040824829046386304},
                {"gpt2-1.5b", "layer.48.attn.w_o", 0.0020412414523193149},
                {"gpt2-355m", "embed.position", 0.02},
                {"olmo2-block", "layer.16.ffn.w_3", 0.02},
                {"olmo2-block", "head.w", 0.02}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        char words[60];
        size_t needed;
        snprintf(words, sizeof words, "preset=%s", rows[i].preset);
        lnstab_config *c = new_config(words);
        lnstab_config_describe(c, NULL, 0, &needed);
        char *json = malloc(needed);
        ck_good(lnstab_config_message(c), lnstab_config_describe(c, json, needed, NULL));
        const double std = number_of(json, rows[i].tensor, "std");
        ck_assert_msg(fabs(std - rows[i].std) <= 1e-6 * rows[i].std, "%s of %s: %.15g",
                      rows[i].tensor, rows[i].preset, std);
        free(json);
        lnstab_config_destroy(c);
    }
}
END_TEST

/* ---- gains ---- */

static lnstab_model *deep_model(int layers, const char *more) {
    char words[300];
    snprintf(words, sizeof words, "layers=%d width=12 heads=2 ffn_width=8 vocab=7 max_tokens=3 %s",
             layers, more);
    return new_model(words);
}

/* T-Fixup (Huang et al. 2020), encoder: values, outputs and FFN times 0.67 N^(-1/4), the table times (9
 * N)^(-1/4), all from keys; at two depths, so that the powers count. */
START_TEST(test_t_fixup_by_rules) {
    static const int depths[] = {6, 24};
    const double n = depths[_i], scale = 0.67 * pow(n, -0.25), square = sqrt(2.0 / 24),
                 oblong = sqrt(2.0 / 20);
    lnstab_model *m = deep_model(
        depths[_i],
        "placement=none gain_v=0.67*L^-0.25 gain_o=0.67*L^-0.25 "
        "gain_w1=0.67*L^-0.25 gain_w2=0.67*L^-0.25 gain_embed=0.57735026918962573*L^-0.25");
    char *json = describe(m);
    expect_std(json, "layer.6.attn.w_q", square);
    expect_std(json, "layer.6.attn.w_k", square);
    expect_std(json, "layer.6.attn.w_v", square * scale);
    expect_std(json, "layer.1.attn.w_o", square * scale);
    expect_std(json, "layer.2.ffn.w_1", oblong * scale);
    expect_std(json, "layer.3.ffn.w_2", oblong * scale);
    expect_std(json, "embed.token", pow(9 * n, -0.25));
    free(json);
    lnstab_model_destroy(m);
}
END_TEST

/* DeepNorm: (8L)^(-1/4) on V, O and the FFN, alpha = (2L)^(1/4), for the model's own depth. */
START_TEST(test_deepnorm_at_two_depths) {
    static const int depths[] = {4, 60};
    const double n = depths[_i], scale = pow(8 * n, -0.25);
    lnstab_model *m = deep_model(depths[_i], "placement=deepnorm");
    char *json = describe(m);
    expect_std(json, "layer.4.attn.w_q", sqrt(2.0 / 24));
    expect_std(json, "layer.4.attn.w_v", sqrt(2.0 / 24) * scale);
    expect_std(json, "layer.4.attn.w_o", sqrt(2.0 / 24) * scale);
    expect_std(json, "layer.4.ffn.w_1", sqrt(2.0 / 20) * scale);
    expect_std(json, "layer.4.ffn.w_2", sqrt(2.0 / 20) * scale);
    ck_assert_double_eq_tol(number_of(json, "layer.2.ffn", "alpha"), pow(2 * n, 0.25), 1e-14 * n);
    free(json);
    lnstab_model_destroy(m);
}
END_TEST

/* Zero W_Q and W_K: every weight is exactly 1 over the number of tokens seen, with every way to treat
 * queries and keys, a norm of zeros being its bias 0. */
START_TEST(test_zero_scores_are_uniform) {
    enum { T = 7 };
    static const char *const options[] = {"", "qk_norm=head", "qk_norm=full positions=rotary",
                                          "soft_cap=5 kv_heads=1", "norm=rms qk_norm=head"};
    char words[300];
    snprintf(words, sizeof words,
             "layers=2 width=12 heads=2 vocab=9 max_tokens=7 dtype=float64 gain_qk=0 causal=%d %s",
             _i % 2, options[_i / 2]);
    static const int32_t tokens[T] = {1, 8, 0, 2, 2, 5, 3};
    lnstab_model *m = new_model(words);
    ck_good(lnstab_model_message(m), lnstab_model_init(m, 3));
    ck_good(lnstab_model_message(m), lnstab_model_forward(m, 1, T, tokens, NULL));
    const double *p = data_of(m, "layer.2.attn.weights");
    for (size_t i = 0; i < 2 * T * T; ++i) {
        const size_t query = i / T % T, key = i % T;
        const double wanted = _i % 2 == 0 ? 1.0 / T : key <= query ? 1.0 / (double)(query + 1) : 0;
        ck_assert_double_eq(p[i], wanted);
    }
    lnstab_model_destroy(m);
}
END_TEST

/* A seed is the same weights whatever the options are that do not change a tensor. */
START_TEST(test_options_do_not_move_the_streams) {
    lnstab_model *a = deep_model(2, "positions=learned gated=1 dtype=float64"),
                 *b =
                     deep_model(2, "placement=peri norm=rms qk_norm=head activation=silu head=tied "
                                   "recompute=blocks dtype=float64");
    static const char *const names[] = {"embed.token", "layer.2.attn.w_k", "layer.1.ffn.w_2"};
    ck_good(lnstab_model_message(a), lnstab_model_init(a, 5));
    ck_good(lnstab_model_message(b), lnstab_model_init(b, 5));
    for (int i = 0; i < 3; ++i) {
        const size_t n = tensor_count(lnstab_model_tensor(a, names[i]));
        ck_assert_mem_eq(data_of(a, names[i]), data_of(b, names[i]), n * sizeof(double));
    }
    ck_assert_mem_ne(data_of(a, "layer.1.ffn.w_1"), data_of(a, "layer.1.ffn.w_3"), 8 * 12 * 8);
    lnstab_model_destroy(a);
    lnstab_model_destroy(b);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("init");
    TCase *cases = tcase_create("init");
    tcase_set_timeout(cases, 60);
    tcase_add_loop_test(cases, test_every_scheme, 0, SCHEMES);
    tcase_add_test(cases, test_every_preset);
    tcase_add_loop_test(cases, test_the_fans, 0, SCHEMES);
    tcase_add_test(cases, test_the_schemes_of_presets);
    tcase_add_loop_test(cases, test_t_fixup_by_rules, 0, 2);
    tcase_add_loop_test(cases, test_deepnorm_at_two_depths, 0, 2);
    tcase_add_loop_test(cases, test_zero_scores_are_uniform, 0, 10);
    tcase_add_test(cases, test_options_do_not_move_the_streams);
    suite_add_tcase(suite, cases);
    return run_suite(suite);
}
