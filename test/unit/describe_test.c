/* model/describe.c: the model as JSON. */

#include <ctype.h>

#include "support/main.h"
#include "unit/model_bench.h"

/* ---- a checker of JSON (RFC 8259), by recursive descent: each moves *at behind what it read ---- */

static int json_value(const char **at, int depth);

static void json_blanks(const char **at) {
    *at += strspn(*at, " \t\r\n");
}

static int json_take(const char **at, char mark) {
    json_blanks(at);
    if (**at != mark) {
        return 0;
    }
    ++*at;
    return 1;
}

static int json_digits(const char **at) {
    const char *start = *at;
    while (isdigit((unsigned char)**at)) {
        ++*at;
    }
    return *at > start;
}

static int json_number(const char **at) {
    *at += **at == '-';
    if (**at == '0' && isdigit((unsigned char)(*at)[1])) {
        return 0;
    }
    if (!json_digits(at)) {
        return 0;
    }
    if (**at == '.') {
        ++*at;
        if (!json_digits(at)) {
            return 0;
        }
    }
    if (**at == 'e' || **at == 'E') {
        ++*at;
        *at += **at == '+' || **at == '-';
        return json_digits(at);
    }
    return 1;
}

static int json_string(const char **at) {
    if (!json_take(at, '"')) {
        return 0;
    }
    while (**at && **at != '"') {
        if ((unsigned char)**at < 0x20 || **at == '\\') { /* none is needed here */
            return 0;
        }
        ++*at;
    }
    return json_take(at, '"');
}

static int json_members(const char **at, char end, int named, int depth) {
    if (json_take(at, end)) {
        return 1;
    }
    do {
        if (named && (!json_string(at) || !json_take(at, ':'))) {
            return 0;
        }
        if (!json_value(at, depth + 1)) {
            return 0;
        }
    } while (json_take(at, ','));
    return json_take(at, end);
}

static int json_value(const char **at, int depth) {
    json_blanks(at);
    if (depth > 20) {
        return 0;
    }
    if (json_take(at, '{')) {
        return json_members(at, '}', 1, depth);
    }
    if (json_take(at, '[')) {
        return json_members(at, ']', 0, depth);
    }
    return **at == '"' ? json_string(at) : json_number(at);
}

static int is_json(const char *text) {
    const char *at = text;
    const int good = json_value(&at, 0);
    json_blanks(&at);
    return good && *at == '\0';
}

START_TEST(test_the_checker_can_refuse) {
    static const char *const good[] = {"{}", "[1, -2.5e+3, \"a\"]", "{\"a\": {\"b\": []}}", "0"};
    static const char *const bad[] = {"",     "{",           "{\"a\": inf}", "{\"a\": nan}",
                                      "[1,]", "{\"a\" 1}",   "01",           "1.",
                                      "{} x", "{\"a\": 1,}", "\"a",          "[-]"};
    for (size_t i = 0; i < sizeof good / sizeof *good; ++i) {
        ck_assert_msg(is_json(good[i]), "%s", good[i]);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
        ck_assert_msg(!is_json(bad[i]), "%s", bad[i]);
    }
}
END_TEST

/* ---- the text of a model ---- */

static char *describe(const lnstab_model *m) {
    struct lnstab__message message;
    struct lnstab__writer w = {NULL, 0, 0};
    size_t needed;
    lnstab__spec_describe(&m->spec, &w);
    lnstab__writer_end(&w, &needed, &message);
    char *text = malloc(needed);
    w = (struct lnstab__writer){text, needed, 0};
    lnstab__spec_describe(&m->spec, &w);
    ck_assert_int_eq(lnstab__writer_end(&w, NULL, &message), LNSTAB_OK);
    return text;
}

/* What stands behind "key": after the first place where `after` stands. */
static const char *behind(const char *text, const char *after, const char *key) {
    char quoted[80];
    const char *start = strstr(text, after);
    ck_assert_msg(start != NULL, "no %s", after);
    snprintf(quoted, sizeof quoted, "\"%s\": ", key);
    const char *at = strstr(start, quoted);
    ck_assert_msg(at != NULL, "no %s after %s", key, after);
    return at + strlen(quoted);
}

static void assert_number(const char *text, const char *after, const char *key, double wanted) {
    ck_assert_msg(strtod(behind(text, after, key), NULL) == wanted, "%s %s is %.20s, not %.17g",
                  after, key, behind(text, after, key), wanted);
}

static void assert_text(const char *text, const char *after, const char *key, const char *wanted) {
    const char *at = behind(text, after, key);
    ck_assert_msg(at[0] == '"' && strncmp(at + 1, wanted, strlen(wanted)) == 0 &&
                      at[1 + strlen(wanted)] == '"',
                  "%s %s is %.30s, not %s", after, key, at, wanted);
}

START_TEST(test_every_placement_is_json) {
    static const char *const more[] = {"", "bias=0 out_proj=0 head=none norm=rms",
                                       "input=tokens embed_norm=1 init=xavier_uniform",
                                       "gain_qk=0 gain_v=-2 beta=0.1*L^-0.5*l^0.25 eps=0"};
    for (int i = 0; i < 4; ++i) {
        char words[200];
        snprintf(words, sizeof words, "placement=%s %s", lnstab__placement_at(_i)->name, more[i]);
        lnstab_config *c = new_config(words);
        lnstab_model *m = NULL;
        ck_good(lnstab_config_message(c),
                lnstab_config_set(c, "width=8 layers=2 vocab=5 ffn_width=6 max_tokens=2"));
        ck_good(lnstab_config_message(c), lnstab_model_create(c, &m));
        char *text = describe(m);
        ck_assert_msg(is_json(text), "%s", text);
        free(text);
        lnstab_model_destroy(m);
        lnstab_config_destroy(c);
    }
}
END_TEST

START_TEST(test_numbers_are_those_of_the_configuration) {
    lnstab_model *m = bench_model("placement=peri norm=rms keep_states=1 causal=1 ignore_index=-7 "
                                  "alpha=0.1 beta=0.7*l^1 kappa=1.5 norm_res=1");
    char *text = describe(m);
    ck_assert_msg(is_json(text), "%s", text);
    static const struct {
        const char *key;
        double value;
    } numbers[] = {{"layers", 2},    {"width", 4},       {"ffn_width", 6},     {"heads", 2},
                   {"vocab", 5},     {"max_batch", 1},   {"max_tokens", 3},    {"bias", 1},
                   {"out_proj", 1},  {"causal", 1},      {"final_norm", 1},    {"embed_norm", 0},
                   {"gradients", 1}, {"keep_states", 1}, {"ignore_index", -7}, {"eps", 1e-3}};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; ++i) {
        assert_number(text, "{", numbers[i].key, numbers[i].value);
    }
    assert_number(text, "{", "bytes", (double)m->bytes);
    assert_text(text, "{", "lnstab", "0.1.0");
    assert_text(text, "{", "placement", "peri");
    assert_text(text, "{", "dtype", "float64");
    assert_text(text, "{", "input", "embedded");
    assert_text(text, "{", "head", "separate");
    assert_text(text, "{", "norm", "rms");
    for (int k = 0; k < 4; ++k) {
        char name[40];
        snprintf(name, sizeof name, "\"layer.%d.%s\"", k / 2 + 1, k % 2 ? "ffn" : "attn");
        assert_text(text, name, "norm_in", "rms");
        assert_text(text, name, "norm_out", "rms");
        assert_text(text, name, "norm_res", "rms");
        assert_number(text, name, "kappa", 1.5);
        assert_number(text, name, "alpha", 0.1);
        assert_number(text, name, "beta", 0.7 * (k / 2 + 1));
    }
    free(text);
    lnstab_model_destroy(m);
}
END_TEST

/* 5 x 4 of the head, and per layer 4 of 4 x 4 + 4, 6 x 4 + 6, 4 x 6 + 4, two norms of 4 + 4. */
START_TEST(test_parameters) {
    lnstab_model *m = bench_model("placement=post gain_v=-0.5 gain_qk=0 init=xavier_uniform");
    char *text = describe(m);
    assert_number(text, "{", "parameter_count", 20 + 2 * (80 + 30 + 28 + 16));
    assert_text(text, "\"layer.1.attn.w_q\"", "init", "constant");
    assert_number(text, "\"layer.1.attn.w_q\"", "std", 0);
    assert_text(text, "\"layer.2.attn.w_v\"", "init", "uniform");
    assert_number(text, "\"layer.2.attn.w_v\"", "std", 0.25); /* 0.5 sqrt(2/8), positive */
    assert_number(text, "\"layer.2.attn.w_v\"", "mean", 0);
    assert_text(text, "\"head.w\"", "init", "normal");
    assert_number(text, "\"head.w\"", "std", 0.5);
    assert_text(text, "\"layer.1.attn.norm_res.gamma\"", "init", "constant");
    assert_number(text, "\"layer.1.attn.norm_res.gamma\"", "mean", 1);
    assert_number(text, "\"layer.1.attn.norm_res.bias\"", "mean", 0);
    ck_assert_int_eq(strncmp(behind(text, "\"layer.1.ffn.w_1\"", "shape"), "[6, 4]", 6), 0);
    ck_assert_int_eq(strncmp(behind(text, "\"layer.1.ffn.b_1\"", "shape"), "[6]", 3), 0);
    ck_assert_ptr_null(strstr(text, "norm_in.gamma"));
    free(text);
    lnstab_model_destroy(m);
}
END_TEST

/* mix tells layer by layer what was really built. */
START_TEST(test_mix) {
    lnstab_model *m = bench_model("placement=mix mix_fraction=0.5");
    char *text = describe(m);
    assert_text(text, "\"layer.1.ffn\"", "norm_res", "layer");
    assert_text(text, "\"layer.1.ffn\"", "norm_in", "none");
    assert_text(text, "\"layer.2.attn\"", "norm_res", "none");
    assert_text(text, "\"layer.2.attn\"", "norm_in", "layer");
    free(text);
    lnstab_model_destroy(m);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("describe");
    TCase *cases = tcase_create("describe");
    tcase_add_test(cases, test_the_checker_can_refuse);
    tcase_add_loop_test(cases, test_every_placement_is_json, 0, 9);
    tcase_add_test(cases, test_numbers_are_those_of_the_configuration);
    tcase_add_test(cases, test_parameters);
    tcase_add_test(cases, test_mix);
    suite_add_tcase(suite, cases);
    return run_suite(suite);
}
