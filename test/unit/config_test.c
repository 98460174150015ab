/* model/config.h: keys and their values. */

#include "model/config.h"

#include <stdio.h>
#include <string.h>

#include "support/main.h"

static lnstab_config config;

static lnstab_config *with(const char *assignments) {
    memset(&config, 0, sizeof config);
    lnstab__config_reset(&config);
    ck_assert_msg(lnstab__config_assign(&config, assignments) == LNSTAB_OK, "%s",
                  config.message.text);
    return &config;
}

static const char *text_of(lnstab_config *c, const char *key) {
    static char text[200];
    struct lnstab__writer w = {text, sizeof text, 0};
    ck_assert_msg(lnstab__config_write(c, key, &w) == LNSTAB_OK, "%s", c->message.text);
    return text;
}

/* Every key as text, one behind the other. */
static void all_texts(lnstab_config *c, char out[2000]) {
    struct lnstab__writer w = {out, 2000, 0};
    struct lnstab__message message;
    for (int id = 0; id < LNSTAB__KEYS; ++id) {
        lnstab__write(&w, " %s=", lnstab__key_at(id)->name);
        ck_assert_msg(lnstab__config_write(c, lnstab__key_at(id)->name, &w) == LNSTAB_OK, "%s",
                      c->message.text);
    }
    ck_assert_int_eq(lnstab__writer_end(&w, NULL, &message), LNSTAB_OK);
}

START_TEST(test_values_of_every_type) {
    lnstab_config *c = with("layers=12 eps=1e-6\tnorm=rms\nalpha=1.19*L^0.25  placement=peri-ln");
    ck_assert_str_eq(text_of(c, "layers"), "12");
    ck_assert_str_eq(text_of(c, "eps"), "1e-06");
    ck_assert_str_eq(text_of(c, "norm"), "rms");
    ck_assert_str_eq(text_of(c, "alpha"), "1.19*L^0.25");
    ck_assert_str_eq(text_of(c, "placement"), "peri");
    ck_assert_str_eq(c->message.text, "");
    ck_assert_int_eq(lnstab__config_assign(c, ""), LNSTAB_OK);
    ck_assert_int_eq(lnstab__config_assign(c, "layers=3 layers=4"), LNSTAB_OK);
    ck_assert_str_eq(text_of(c, "layers"), "4");
    ck_assert_int_eq(lnstab__config_assign(c, "dt=0.5"), LNSTAB_OK);
    ck_assert_str_eq(text_of(c, "beta"), "0.5");
}
END_TEST

/* A list that fails in the middle changes nothing, whatever comes before or behind the fault. */
START_TEST(test_assignment_is_atomic) {
    static const struct {
        const char *words;
        int32_t status;
        const char *said;
    } faults[] = {
        {"layers=3 width=100 depth=4", LNSTAB_ERROR_NAME, "no key 'depth'"},
        {"layers=3 width=0 heads=2", LNSTAB_ERROR_ARGUMENT, "width 0 is outside 1..1048576"},
        {"layers=3 placement=sandwich", LNSTAB_ERROR_NAME, "placement 'sandwich' could mean"},
        {"layers=3 placement=7", LNSTAB_ERROR_NAME, "placement '7' is not one of"},
        {"layers=3 norm=batch width=9", LNSTAB_ERROR_NAME, "norm 'batch' is not one of: layer rms"},
        {"layers=3 eps=small", LNSTAB_ERROR_ARGUMENT, "eps 'small' is not a number"},
        {"layers=3 eps=-1", LNSTAB_ERROR_ARGUMENT, "eps -1 is outside 0..1e300"},
        {"layers=3 alpha=L", LNSTAB_ERROR_ARGUMENT, "alpha 'L' is not a rule"},
        {"layers=3 width", LNSTAB_ERROR_ARGUMENT, "'width' is not key=value"},
        {"layers=3 width=", LNSTAB_ERROR_ARGUMENT, "width '' is not an integer"},
        {"layers=3 =5", LNSTAB_ERROR_NAME, "no key ''"},
        {"layers=3 width=1.5", LNSTAB_ERROR_ARGUMENT, "width '1.5' is not an integer"},
        {"layers=3 width=99999999999999999999", LNSTAB_ERROR_ARGUMENT, "width"},
        {"layers=3 width 7", LNSTAB_ERROR_ARGUMENT, "'width' is not key=value"},
        {"layers=3 width=\n7", LNSTAB_ERROR_ARGUMENT, "width '' is not an integer"},
        {"layers=3 layer.2.width=7", LNSTAB_ERROR_NAME,
         "width is a key of the whole model: no 'layer.2.width'"},
        {"layers=3 ffn.gain_v=7", LNSTAB_ERROR_NAME, "gain_v is a key of attn: no 'ffn.gain_v'"},
        {"layers=3 layer.1.attn.gain_w2=7", LNSTAB_ERROR_NAME, "gain_w2 is a key of ffn"},
        {"layers=3 layer.0.beta=7", LNSTAB_ERROR_NAME, "'layer.0.beta' is not layer.N.key"},
        {"layers=3 layer.2.beta=x", LNSTAB_ERROR_ARGUMENT, "beta 'x' is not a rule"},
        {"layers=3 attn.norm_in=2", LNSTAB_ERROR_ARGUMENT, "norm_in 2 is outside 0..1"},
        {"layers=3 mlp.beta=2", LNSTAB_ERROR_NAME, "no key 'mlp.beta'"}};
    char before[2000], after[2000];
    for (size_t i = 0; i < sizeof faults / sizeof *faults; ++i) {
        lnstab_config *c = with("layers=5 alpha=2 placement=pre");
        all_texts(c, before);
        ck_assert_int_eq(lnstab__config_assign(c, faults[i].words), faults[i].status);
        ck_assert_msg(strstr(c->message.text, faults[i].said) != NULL, "%s: %s", faults[i].words,
                      c->message.text);
        all_texts(c, after);
        ck_assert_str_eq(before, after);
    }
}
END_TEST

START_TEST(test_long_words_are_cut_in_messages) {
    char words[600];
    lnstab_config *c = with("");
    memset(words, 'x', sizeof words - 1);
    words[sizeof words - 1] = '\0';
    ck_assert_int_eq(lnstab__config_assign(c, words), LNSTAB_ERROR_ARGUMENT);
    ck_assert_uint_lt(strlen(c->message.text), 100);
    memcpy(words, "width=", 6);
    ck_assert_int_eq(lnstab__config_assign(c, words), LNSTAB_ERROR_ARGUMENT);
    ck_assert_uint_lt(strlen(c->message.text), 100);
}
END_TEST

/* As a file would have it. */
START_TEST(test_comments_and_blanks) {
    lnstab_config *c = with("# a design\n  layers = 12   # deep\n\twidth=\t64\r\n"
                            "#eps=3\nalpha =2*L^0.5#all\nnorm=rms # the end");
    ck_assert_str_eq(text_of(c, "layers"), "12");
    ck_assert_str_eq(text_of(c, "width"), "64");
    ck_assert_str_eq(text_of(c, "eps"), "1e-05");
    ck_assert_str_eq(text_of(c, "alpha"), "2*L^0.5");
    ck_assert_str_eq(text_of(c, "norm"), "rms");
    ck_assert_int_eq(lnstab__config_assign(c, "# nothing"), LNSTAB_OK);
    ck_assert_int_eq(lnstab__config_assign(c, "layers=3 #"), LNSTAB_OK);
    ck_assert_str_eq(text_of(c, "layers"), "3");
}
END_TEST

START_TEST(test_scoped_keys_are_read_by_scope) {
    lnstab_config *c = with("layers=6 beta=2 ffn.beta=3 layer.4-5.attn.beta=4 attn.gain_v=0.5");
    struct lnstab__value value = {.integer = 77};
    ck_assert_str_eq(text_of(c, "ffn.beta"), "3");
    ck_assert_str_eq(text_of(c, "layer.2.ffn.dt"), "3");
    ck_assert_str_eq(text_of(c, "layer.5.attn.beta"), "4");
    ck_assert_str_eq(text_of(c, "layer.6-L.attn.beta"), "2");
    ck_assert_str_eq(text_of(c, "gain_v"), "0.5");
    ck_assert_str_eq(text_of(c, "layer.3.gain_v"), "0.5");
    static const char *const differ[] = {"beta", "attn.beta", "layer.3.beta",
                                         "layer.5-L.attn.beta"};
    for (size_t i = 0; i < sizeof differ / sizeof *differ; ++i) {
        ck_assert_int_eq(lnstab__config_get(c, differ[i], LNSTAB__RULE, &value),
                         LNSTAB_ERROR_UNAVAILABLE);
        ck_assert_msg(strstr(c->message.text, "beta differs between the sublayers") != NULL, "%s",
                      c->message.text);
    }
    ck_assert_int_eq(lnstab__config_get(c, "layer.7.beta", LNSTAB__RULE, &value),
                     LNSTAB_ERROR_ARGUMENT);
    ck_assert_str_eq(c->message.text, "layer.7 of key beta is outside 1..6");
    ck_assert_int_eq(value.integer, 77);
    ck_assert_int_eq(lnstab__config_get(c, "layer.1.layers", LNSTAB__INTEGER, &value),
                     LNSTAB_ERROR_NAME);
}
END_TEST

START_TEST(test_setters_take_scopes) {
    lnstab_config *c = with("layers=3");
    ck_assert_int_eq(lnstab__config_set_integer(c, "layer.2.norm_out", 1), LNSTAB_OK);
    ck_assert_int_eq(lnstab__config_set_rule(c, "ffn.beta", (struct lnstab__rule){2, 0, 1}),
                     LNSTAB_OK);
    ck_assert_int_eq(lnstab__config_set_number(c, "ffn.eps", 1), LNSTAB_ERROR_NAME);
    ck_assert_str_eq(text_of(c, "layer.2.attn.norm_out"), "1");
    ck_assert_str_eq(text_of(c, "ffn.beta"), "2*l^1");
    ck_assert_str_eq(text_of(c, "layer.1.norm_out"), "0");
}
END_TEST

/* A full list refuses one more, takes what it holds again, and stays as it was. */
START_TEST(test_room_for_scoped_keys) {
    lnstab_config *c = with("layers=100");
    char text[40];
    for (int i = 1; i <= LNSTAB__SCOPED_MAX + 1; ++i) {
        snprintf(text, sizeof text, "layer.%d.beta=%d", i, i);
        ck_assert_int_eq(lnstab__config_assign(c, text),
                         i <= LNSTAB__SCOPED_MAX ? LNSTAB_OK : LNSTAB_ERROR_CAPACITY);
    }
    ck_assert_str_eq(c->message.text, "more than 64 keys of sublayers are set");
    ck_assert_int_eq(lnstab__config_assign(c, "layer.7.beta=70"), LNSTAB_OK);
    ck_assert_str_eq(text_of(c, "layer.7.beta"), "70");
    ck_assert_str_eq(text_of(c, "layer.64.beta"), "64");
    ck_assert_str_eq(text_of(c, "layer.65.beta"), "1");
    ck_assert_int_eq(lnstab__config_assign(c, "layer.1-40.beta=5"), LNSTAB_OK); /* in place of 40 */
    ck_assert_int_eq(lnstab__config_assign(c, "layer.65.beta=65"), LNSTAB_OK);
    ck_assert_str_eq(text_of(c, "layer.1-40.beta"), "5");
    ck_assert_str_eq(text_of(c, "layer.41.beta"), "41");
}
END_TEST

/* A key that was set counts in whatever order. */
START_TEST(test_order_does_not_matter) {
    static const char *const orders[][2] = {
        {"beta=0.1 placement=pre", "placement=pre beta=0.1"},
        {"norm_in=0 placement=peri final_norm=0", "final_norm=0 placement=peri norm_in=0"},
        {"ffn_width=32 width=16", "width=16 ffn_width=32"},
        {"gain_v=0.3 alpha=2*L^0.5 placement=deepnorm",
         "placement=deepnorm alpha=2*L^0.5 gain_v=0.3"}};
    char first[2000], second[2000];
    for (size_t i = 0; i < sizeof orders / sizeof *orders; ++i) {
        all_texts(with(orders[i][0]), first);
        all_texts(with(orders[i][1]), second);
        ck_assert_str_eq(first, second);
    }
    ck_assert_str_eq(text_of(with("beta=0.1 placement=pre"), "beta"), "0.1");
}
END_TEST

/* What is written sets the same again. */
START_TEST(test_texts_round_trip) {
    static const char *const settings[] = {
        "", "placement=deepnorm layers=3",
        "placement=custom norm_in=1 alpha=0.8 beta=0.7*L^-0.5*l^0.25",
        "placement=ln-scaling eps=0.1 dtype=float64 ignore_index=-2147483648"};
    char first[2000], second[2000];
    for (size_t i = 0; i < sizeof settings / sizeof *settings; ++i) {
        all_texts(with(settings[i]), first);
        all_texts(with(first), second);
        ck_assert_str_eq(first, second);
    }
}
END_TEST

START_TEST(test_what_is_not_set_follows) {
    ck_assert_str_eq(text_of(with("width=48"), "ffn_width"), "192");
    ck_assert_str_eq(text_of(with("width=48 ffn_width=5"), "ffn_width"), "5");
    ck_assert_str_eq(text_of(with("placement=pre"), "final_norm"), "1");
    ck_assert_str_eq(text_of(with("placement=post"), "final_norm"), "0");
    ck_assert_str_eq(text_of(with("placement=post final_norm=1"), "final_norm"), "1");
    ck_assert_str_eq(text_of(with("placement=peri"), "norm_out"), "1");
    ck_assert_str_eq(text_of(with("placement=peri norm_out=0"), "norm_out"), "0");
    ck_assert_str_eq(text_of(with("placement=ln-scaling"), "kappa"), "1*l^-0.5");
    lnstab_config *c = with("placement=peri norm_out=0");
    ck_assert_int_eq(lnstab__config_assign(c, "placement=output-norm"), LNSTAB_OK);
    ck_assert_str_eq(text_of(c, "norm_out"), "0"); /* set once, set for good */
    ck_assert_str_eq(text_of(c, "norm_in"), "0");
}
END_TEST

/* The layers of mix differ in where the norms are, and in nothing else. */
START_TEST(test_mixed_placement) {
    static const char *const differ[] = {"norm_in", "norm_res"};
    static const char *const same[] = {"norm_out", "alpha",  "beta",      "kappa",
                                       "gain_qk",  "gain_v", "final_norm"};
    lnstab_config *c = with("placement=mix");
    struct lnstab__value value = {.integer = 77};
    for (int i = 0; i < 2; ++i) {
        ck_assert_int_eq(lnstab__config_get(c, differ[i], LNSTAB__INTEGER, &value),
                         LNSTAB_ERROR_UNAVAILABLE);
        ck_assert_int_eq(value.integer, 77);
        ck_assert_msg(strstr(c->message.text, differ[i]) && strstr(c->message.text, "mix"), "%s",
                      c->message.text);
    }
    for (size_t i = 0; i < sizeof same / sizeof *same; ++i) {
        text_of(c, same[i]);
    }
    ck_assert_int_eq(lnstab__config_assign(c, "norm_in=1"), LNSTAB_OK);
    ck_assert_int_eq(lnstab__config_get(c, "norm_in", LNSTAB__INTEGER, &value), LNSTAB_OK);
    ck_assert_int_eq(value.integer, 1);
}
END_TEST

START_TEST(test_setters_by_type) {
    lnstab_config *c = with("");
    ck_assert_int_eq(lnstab__config_set_integer(c, "layers", 9), LNSTAB_OK);
    ck_assert_int_eq(lnstab__config_set_number(c, "eps", 0.25), LNSTAB_OK);
    ck_assert_int_eq(lnstab__config_set_rule(c, "dt", (struct lnstab__rule){0.5, 0.25, 0}),
                     LNSTAB_OK);
    ck_assert_str_eq(text_of(c, "layers"), "9");
    ck_assert_str_eq(text_of(c, "eps"), "0.25");
    ck_assert_str_eq(text_of(c, "beta"), "0.5*L^0.25");
    ck_assert_int_eq(lnstab__config_set_integer(c, "eps", 1), LNSTAB_ERROR_ARGUMENT);
    ck_assert_str_eq(c->message.text, "eps is of type number, not integer");
    ck_assert_int_eq(lnstab__config_set_number(c, "alpha", 1), LNSTAB_ERROR_ARGUMENT);
    ck_assert_int_eq(lnstab__config_set_integer(c, "norm", 1), LNSTAB_ERROR_ARGUMENT);
    ck_assert_int_eq(lnstab__config_set_rule(c, "layers", (struct lnstab__rule){1, 0, 0}),
                     LNSTAB_ERROR_ARGUMENT);
    ck_assert_int_eq(lnstab__config_set_integer(c, "nothing", 1), LNSTAB_ERROR_NAME);
    ck_assert_int_eq(lnstab__config_set_integer(c, "layers", 10), LNSTAB_OK);
    ck_assert_str_eq(c->message.text, "");
}
END_TEST

START_TEST(test_getters_by_type) {
    lnstab_config *c = with("layers=9 beta=3");
    struct lnstab__value value = {.integer = 77};
    ck_assert_int_eq(lnstab__config_get(c, "layers", LNSTAB__NUMBER, &value),
                     LNSTAB_ERROR_ARGUMENT);
    ck_assert_int_eq(lnstab__config_get(c, "depth", LNSTAB__INTEGER, &value), LNSTAB_ERROR_NAME);
    ck_assert_int_eq(value.integer, 77);
    ck_assert_int_eq(lnstab__config_get(c, "layers", LNSTAB__INTEGER, &value), LNSTAB_OK);
    ck_assert_int_eq(value.integer, 9);
    ck_assert_int_eq(lnstab__config_get(c, "dt", LNSTAB__RULE, &value), LNSTAB_OK);
    ck_assert_double_eq(value.rule.factor, 3);
    struct lnstab__writer w = {NULL, 0, 0};
    ck_assert_int_eq(lnstab__config_write(c, "depth", &w), LNSTAB_ERROR_NAME);
    ck_assert_uint_eq(w.length, 0);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("config");
    TCase *cases = tcase_create("config");
    tcase_add_test(cases, test_values_of_every_type);
    tcase_add_test(cases, test_assignment_is_atomic);
    tcase_add_test(cases, test_comments_and_blanks);
    tcase_add_test(cases, test_scoped_keys_are_read_by_scope);
    tcase_add_test(cases, test_setters_take_scopes);
    tcase_add_test(cases, test_room_for_scoped_keys);
    tcase_add_test(cases, test_long_words_are_cut_in_messages);
    tcase_add_test(cases, test_order_does_not_matter);
    tcase_add_test(cases, test_texts_round_trip);
    tcase_add_test(cases, test_what_is_not_set_follows);
    tcase_add_test(cases, test_mixed_placement);
    tcase_add_test(cases, test_setters_by_type);
    tcase_add_test(cases, test_getters_by_type);
    suite_add_tcase(suite, cases);
    return run_suite(suite);
}
