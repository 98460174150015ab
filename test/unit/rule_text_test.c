/* model/rule_text.h: c[*L^p][*l^q]. */

#include "model/rule_text.h"

#include <string.h>

#include "lnstab.h"
#include "math/philox.h"
#include "support/main.h"

static int parse(const char *text, struct lnstab__rule *out) {
    return lnstab__rule_parse((struct lnstab__word){text, strlen(text)}, out);
}

static void write_text(struct lnstab__rule rule, char text[160]) {
    struct lnstab__message message;
    struct lnstab__writer w = {text, 160, 0};
    lnstab__rule_write(&w, rule);
    ck_assert_int_eq(lnstab__writer_end(&w, NULL, &message), LNSTAB_OK);
}

START_TEST(test_texts) {
    static const struct {
        const char *text;
        struct lnstab__rule rule;
    } rows[] = {{"1", {1, 0, 0}},
                {"-0.5", {-0.5, 0, 0}},
                {"1.19*L^0.25", {1.19, 0.25, 0}},
                {"1*l^-0.5", {1, 0, -0.5}},
                {"0.7*L^-0.5*l^0.25", {0.7, -0.5, 0.25}},
                {"0.7*l^0.25*L^-0.5", {0.7, -0.5, 0.25}},
                {"1e-3*L^1e1", {1e-3, 10, 0}},
                {"0*L^2", {0, 2, 0}}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        struct lnstab__rule rule;
        ck_assert_msg(parse(rows[i].text, &rule), "%s", rows[i].text);
        ck_assert_mem_eq(&rule, &rows[i].rule, sizeof rule);
    }
}
END_TEST

START_TEST(test_round_trip) {
    double z[3000];
    lnstab__draw_normal((struct lnstab__stream){8, 0, 1}, 0, 3000, z);
    for (int i = 0; i < 1000; ++i) {
        struct lnstab__rule rule = {z[3 * i] * 1e3, i % 3 ? z[3 * i + 1] : 0,
                                    i % 2 ? z[3 * i + 2] : 0},
                            back;
        char text[160];
        write_text(rule, text);
        ck_assert_msg(parse(text, &back), "%s", text);
        ck_assert_msg(memcmp(&rule, &back, sizeof rule) == 0, "%s", text);
    }
}
END_TEST

START_TEST(test_powers_of_0_are_not_written) {
    char text[160];
    write_text((struct lnstab__rule){2, 0, 0}, text);
    ck_assert_str_eq(text, "2");
    write_text((struct lnstab__rule){2, 0, -0.5}, text);
    ck_assert_str_eq(text, "2*l^-0.5");
    write_text((struct lnstab__rule){0.25, 3, -0.5}, text);
    ck_assert_str_eq(text, "0.25*L^3*l^-0.5");
}
END_TEST

static void assert_refused(const char *text) {
    struct lnstab__rule rule = {7, 7, 7};
    ck_assert_msg(!parse(text, &rule), "'%s' is taken", text);
    ck_assert_msg(rule.factor == 7 && rule.depth_power == 7 && rule.layer_power == 7, "'%s' wrote",
                  text);
}

START_TEST(test_malformed_texts) {
    static const char *const texts[] = {
        "",         "*",         "1*",     "*L^2",    "L^2",       "1*L",       "1*L^",
        "1**L^2",   "1*L^2*",    "1*M^2",  "1*LL^2",  "1*L^2^3",   "1*^2",      "1*L^x",
        "1*L^inf",  "1*L^nan",   "inf",    "1*L^0x2", "1*L^2*L^3", "1*l^2*l^2", "1*L^2*l^3*L^1",
        "1,5",      "1*L^1,5",   "1 *L^2", "1*2",     "1*2*L^2",   "1*L*2",     "L",
        "1*L^2l^3", "1*L^1e999", "1e999",  "1L^2"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i) {
        assert_refused(texts[i]);
    }
}
END_TEST

/* A base that comes twice is malformed whatever its first power is. */
START_TEST(test_base_twice_with_power_0) {
    assert_refused("2*L^0*L^1");
    assert_refused("2*l^0*l^0");
}
END_TEST

int main(void) {
    Suite *suite = suite_create("rule_text");
    TCase *cases = tcase_create("rule_text");
    tcase_add_test(cases, test_texts);
    tcase_add_test(cases, test_round_trip);
    tcase_add_test(cases, test_powers_of_0_are_not_written);
    tcase_add_test(cases, test_malformed_texts);
    tcase_add_test(cases, test_base_twice_with_power_0);
    suite_add_tcase(suite, cases);
    return run_suite(suite);
}
