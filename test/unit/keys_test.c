/* model/keys.h: the parameter table, and that its texts say what is checked. */

#include "model/keys.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "model/config.h"
#include "nn/init.h"
#include "support/main.h"

static lnstab_config config;

static lnstab_config *fresh(void) {
    memset(&config, 0, sizeof config);
    lnstab__config_reset(&config);
    return &config;
}

START_TEST(test_names_are_unique) {
    for (int id = 0; id < LNSTAB__KEYS; ++id) {
        const struct lnstab__key *key = lnstab__key_at(id);
        ck_assert_ptr_nonnull(key->name);
        ck_assert_int_eq(lnstab__key_find(key->name, strlen(key->name)), id);
        if (key->alias) {
            ck_assert_int_eq(lnstab__key_find(key->alias, strlen(key->alias)), id);
        }
        for (int other = 0; other < id; ++other) { /* a later one would be hidden by it */
            const char *alias = lnstab__key_at(other)->alias;
            ck_assert(!alias || (strcmp(alias, key->name) != 0 &&
                                 (!key->alias || strcmp(alias, key->alias) != 0)));
        }
        ck_assert_str_ne(key->help, "");
        ck_assert_str_ne(key->range, "");
        ck_assert_str_ne(key->default_text, "");
        ck_assert_ptr_null(strpbrk(key->name, " =\t\n"));
    }
}
END_TEST

START_TEST(test_find) {
    ck_assert_int_eq(lnstab__key_find("dt", 2), LNSTAB__KEY_BETA);
    ck_assert_int_eq(lnstab__key_find("widths", 5), LNSTAB__KEY_WIDTH);
    static const char *const unknown[] = {"", "Width", "widt", "widths", "0", "alpha=1"};
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; ++i) {
        ck_assert_int_eq(lnstab__key_find(unknown[i], strlen(unknown[i])), -1);
    }
}
END_TEST

START_TEST(test_type_names) {
    ck_assert_str_eq(lnstab__key_type_name(LNSTAB__INTEGER), "integer");
    ck_assert_str_eq(lnstab__key_type_name(LNSTAB__NUMBER), "number");
    ck_assert_str_eq(lnstab__key_type_name(LNSTAB__CHOICE), "choice");
    ck_assert_str_eq(lnstab__key_type_name(LNSTAB__RULE), "rule");
}
END_TEST

/* "low..high" into its two texts */
static void split_range(const char *range, char low[40], char high[40]) {
    const char *dots = strstr(range, "..");
    ck_assert_msg(dots != NULL, "%s", range);
    snprintf(low, 40, "%.*s", (int)(dots - range), range);
    snprintf(high, 40, "%s", dots + 2);
}

static void assert_refused(const struct lnstab__key *key, int32_t status) {
    ck_assert_int_eq(status, LNSTAB_ERROR_ARGUMENT);
    ck_assert_msg(strstr(config.message.text, key->range) != NULL &&
                      strstr(config.message.text, key->name) != NULL,
                  "%s", config.message.text);
}

static void check_integer(const struct lnstab__key *key) {
    char low[40], high[40], word[120];
    split_range(key->range, low, high);
    const int64_t least = strtoll(low, NULL, 10), most = strtoll(high, NULL, 10);
    lnstab_config *c = fresh();
    ck_assert_int_eq(lnstab__config_set_integer(c, key->name, least), LNSTAB_OK);
    ck_assert_int_eq(lnstab__config_set_integer(c, key->name, most), LNSTAB_OK);
    assert_refused(key, lnstab__config_set_integer(c, key->name, least - 1));
    assert_refused(key, lnstab__config_set_integer(c, key->name, most + 1));
    assert_refused(key, lnstab__config_set_integer(c, key->name, INT64_MIN));
    assert_refused(key, lnstab__config_set_integer(c, key->name, INT64_MAX));
    ck_assert_int_eq(c->set.values[lnstab__key_find(key->name, strlen(key->name))].integer, most);
    snprintf(word, sizeof word, "%s=%s %s=%s", key->name, low, key->name, high);
    ck_assert_int_eq(lnstab__config_assign(c, word), LNSTAB_OK);
}

static void check_number(const struct lnstab__key *key) {
    char low[40], high[40], word[120];
    split_range(key->range, low, high);
    const double least = strtod(low, NULL), most = strtod(high, NULL);
    lnstab_config *c = fresh();
    ck_assert_int_eq(lnstab__config_set_number(c, key->name, least), LNSTAB_OK);
    ck_assert_int_eq(lnstab__config_set_number(c, key->name, most), LNSTAB_OK);
    assert_refused(key, lnstab__config_set_number(c, key->name, nextafter(least, -INFINITY)));
    assert_refused(key, lnstab__config_set_number(c, key->name, nextafter(most, INFINITY)));
    assert_refused(key, lnstab__config_set_number(c, key->name, NAN));
    assert_refused(key, lnstab__config_set_number(c, key->name, INFINITY));
    snprintf(word, sizeof word, "%s=%s %s=%s", key->name, low, key->name, high);
    ck_assert_int_eq(lnstab__config_assign(c, word), LNSTAB_OK);
}

static void check_choice(const struct lnstab__key *key) {
    const char *rest = key->range;
    lnstab_config *c = fresh();
    char word[120];
    int place = 0;
    for (struct lnstab__word w = lnstab__text_next_word(&rest); w.length;
         w = lnstab__text_next_word(&rest)) {
        ck_assert_int_eq(lnstab__choice_find(key, w.at, w.length), place);
        const struct lnstab__word same = lnstab__choice_word(key, place);
        ck_assert(same.at == w.at && same.length == w.length);
        snprintf(word, sizeof word, "%s=%.*s", key->name, (int)w.length, w.at);
        ck_assert_int_eq(lnstab__config_assign(c, word), LNSTAB_OK);
        ++place;
    }
    ck_assert_int_gt(place, 1);
    ck_assert_int_eq(lnstab__choice_find(key, "nonsense", 8), -1);
    ck_assert_int_eq(lnstab__choice_find(key, "", 0), -1);
    snprintf(word, sizeof word, "%s=nonsense", key->name);
    ck_assert_int_eq(lnstab__config_assign(c, word), LNSTAB_ERROR_NAME);
    ck_assert_msg(strstr(c->message.text, key->range) != NULL, "%s", c->message.text);
}

static void check_rule(const struct lnstab__key *key) {
    lnstab_config *c = fresh();
    ck_assert_str_eq(key->range, "finite");
    ck_assert_int_eq(lnstab__config_set_rule(c, key->name, (struct lnstab__rule){-1e300, 5, -5}),
                     LNSTAB_OK);
    const struct lnstab__rule bad[] = {{INFINITY, 0, 0}, {1, NAN, 0}, {1, 0, -INFINITY}};
    for (int i = 0; i < 3; ++i) {
        ck_assert_int_eq(lnstab__config_set_rule(c, key->name, bad[i]), LNSTAB_ERROR_ARGUMENT);
    }
}

START_TEST(test_ranges_are_what_is_accepted) {
    static void (*const checks[])(const struct lnstab__key *) = {check_integer, check_number,
                                                                 check_choice, check_rule};
    for (int id = 0; id < LNSTAB__KEYS; ++id) {
        checks[lnstab__key_at(id)->type](lnstab__key_at(id));
    }
}
END_TEST

/* What the table says is what a fresh configuration holds; the texts that are no value are the defaults
 * that follow another key. */
START_TEST(test_defaults) {
    for (int id = 0; id < LNSTAB__KEYS; ++id) {
        const struct lnstab__key *key = lnstab__key_at(id);
        const struct lnstab__value *value = &fresh()->set.values[id];
        char word[160], text[160] = "";
        snprintf(word, sizeof word, "%s=%s", key->name, key->default_text);
        ck_assert_int_eq(value->is_set, 0);
        if (strcmp(key->default_text, "of the placement") == 0 ||
            strcmp(key->default_text, "4 width") == 0 ||
            strcmp(key->default_text, "as heads") == 0) {
            continue;
        }
        ck_assert_msg(lnstab__config_assign(&config, word) == LNSTAB_OK, "%s", config.message.text);
        ck_assert_int_eq(value->integer, key->integer_default);
        ck_assert_double_eq(value->rule.factor, key->number_default);
        struct lnstab__writer w = {text, sizeof text, 0};
        ck_assert_int_eq(lnstab__config_write(fresh(), key->name, &w), LNSTAB_OK);
        ck_assert_int_eq(lnstab__config_assign(&config, word), LNSTAB_OK);
        if (key->type != LNSTAB__NUMBER) {
            ck_assert_str_eq(text, key->default_text);
        }
    }
}
END_TEST

START_TEST(test_init_lists_are_the_schemes) {
    static const int ids[] = {LNSTAB__KEY_INIT, LNSTAB__KEY_HEAD_INIT, LNSTAB__KEY_EMBED_INIT};
    for (int i = 0; i < 3; ++i) {
        const char *rest = lnstab__key_at(ids[i])->range;
        for (int s = 0; s < lnstab__scheme_count(); ++s) {
            const struct lnstab__word w = lnstab__text_next_word(&rest);
            ck_assert(lnstab__text_is(w.at, w.length, lnstab__scheme_name(s)));
        }
        ck_assert_uint_eq(lnstab__text_next_word(&rest).length, 0);
    }
}
END_TEST

START_TEST(test_placement_takes_aliases) {
    const struct lnstab__key *key = lnstab__key_at(LNSTAB__KEY_PLACEMENT);
    ck_assert_int_eq(lnstab__choice_find(key, "peri-ln", 7), lnstab__choice_find(key, "peri", 4));
    ck_assert_int_eq(lnstab__choice_find(key, "sandwich", 8), -1);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("keys");
    TCase *cases = tcase_create("keys");
    tcase_add_test(cases, test_names_are_unique);
    tcase_add_test(cases, test_find);
    tcase_add_test(cases, test_type_names);
    tcase_add_test(cases, test_ranges_are_what_is_accepted);
    tcase_add_test(cases, test_defaults);
    tcase_add_test(cases, test_init_lists_are_the_schemes);
    tcase_add_test(cases, test_placement_takes_aliases);
    suite_add_tcase(suite, cases);
    return run_suite(suite);
}
