/* model/value.h: what a key holds, from numbers and from text. */

#include "model/value.h"

#include <math.h>
#include <string.h>

#include "lnstab.h"
#include "support/main.h"

static struct lnstab__message message;

static int32_t parse(int id, const char *text, struct lnstab__value *out) {
    return lnstab__value_parse(&message, id, (struct lnstab__word){text, strlen(text)}, out);
}

/* Text of a value that was parsed from text. */
static const char *again(int id, const char *text) {
    static char written[80];
    struct lnstab__value value;
    struct lnstab__writer w = {written, sizeof written, 0};
    struct lnstab__message end;
    ck_assert_msg(parse(id, text, &value) == LNSTAB_OK, "%s: %s", text, message.text);
    ck_assert_int_eq(value.is_set, 1);
    lnstab__value_write(&w, lnstab__key_at(id), &value);
    ck_assert_int_eq(lnstab__writer_end(&w, NULL, &end), LNSTAB_OK);
    return written;
}

START_TEST(test_every_type_goes_there_and_back) {
    ck_assert_str_eq(again(LNSTAB__KEY_LAYERS, "12"), "12");
    ck_assert_str_eq(again(LNSTAB__KEY_IGNORE_INDEX, "-100"), "-100");
    ck_assert_str_eq(again(LNSTAB__KEY_EPS, "0.25"), "0.25");
    ck_assert_str_eq(again(LNSTAB__KEY_NORM, "rms"), "rms");
    ck_assert_str_eq(again(LNSTAB__KEY_PLACEMENT, "peri-ln"), "peri");
    ck_assert_str_eq(again(LNSTAB__KEY_ALPHA, "2*L^0.5*l^-1"), "2*L^0.5*l^-1");
}
END_TEST

START_TEST(test_what_is_refused) {
    static const struct {
        int id;
        const char *text, *said;
        int32_t status;
    } rows[] = {
        {LNSTAB__KEY_LAYERS, "0", "layers 0 is outside 1..100000", LNSTAB_ERROR_ARGUMENT},
        {LNSTAB__KEY_LAYERS, "x", "layers 'x' is not an integer", LNSTAB_ERROR_ARGUMENT},
        {LNSTAB__KEY_EPS, "-1", "eps -1 is outside 0..1e300", LNSTAB_ERROR_ARGUMENT},
        {LNSTAB__KEY_EPS, "", "eps '' is not a number", LNSTAB_ERROR_ARGUMENT},
        {LNSTAB__KEY_NORM, "batch", "norm 'batch' is not one of: layer rms", LNSTAB_ERROR_NAME},
        {LNSTAB__KEY_PLACEMENT, "sandwich", "placement 'sandwich' could mean", LNSTAB_ERROR_NAME},
        {LNSTAB__KEY_BETA, "L", "beta 'L' is not a rule", LNSTAB_ERROR_ARGUMENT}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        struct lnstab__value value = {.integer = 77};
        ck_assert_int_eq(parse(rows[i].id, rows[i].text, &value), rows[i].status);
        ck_assert_msg(strstr(message.text, rows[i].said) != NULL, "%s", message.text);
        ck_assert_int_eq(value.integer, 77);
    }
}
END_TEST

START_TEST(test_numbers) {
    struct lnstab__value value = {.integer = 77};
    ck_assert_int_eq(lnstab__value_of_integer(&message, LNSTAB__KEY_WIDTH, 1048577, &value),
                     LNSTAB_ERROR_ARGUMENT);
    ck_assert_int_eq(lnstab__value_of_number(&message, LNSTAB__KEY_EPS, NAN, &value),
                     LNSTAB_ERROR_ARGUMENT);
    ck_assert_int_eq(lnstab__value_of_rule(&message, LNSTAB__KEY_BETA,
                                           (struct lnstab__rule){1, INFINITY, 0}, &value),
                     LNSTAB_ERROR_ARGUMENT);
    ck_assert_str_eq(message.text, "beta wants finite numbers");
    ck_assert_int_eq(value.integer, 77);
    ck_assert_int_eq(lnstab__value_of_integer(&message, LNSTAB__KEY_WIDTH, 1048576, &value),
                     LNSTAB_OK);
    ck_assert(value.is_set && value.integer == 1048576);
    ck_assert_int_eq(lnstab__value_of_number(&message, LNSTAB__KEY_EPS, 0.5, &value), LNSTAB_OK);
    ck_assert(value.is_set && value.rule.factor == 0.5);
    ck_assert_int_eq(
        lnstab__value_of_rule(&message, LNSTAB__KEY_BETA, (struct lnstab__rule){1, 2, 3}, &value),
        LNSTAB_OK);
    ck_assert(value.rule.factor == 1 && value.rule.depth_power == 2 && value.rule.layer_power == 3);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("value");
    TCase *cases = tcase_create("value");
    tcase_add_test(cases, test_every_type_goes_there_and_back);
    tcase_add_test(cases, test_what_is_refused);
    tcase_add_test(cases, test_numbers);
    suite_add_tcase(suite, cases);
    return run_suite(suite);
}
