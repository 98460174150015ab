/* base/number.h: numbers as text. number_locale_test.c has the hosts with another decimal separator. */

#include "base/number.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/main.h"

static uint64_t bits_of(double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

/* xorshift64: not the library's own generator */
static uint64_t next_bits(uint64_t *state) {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

static void assert_round_trip(double x) {
    char text[LNSTAB__NUMBER_ROOM];
    double back = 12345.0;
    ck_assert_ptr_eq(lnstab__number_format(text, x), text);
    ck_assert_uint_lt(strlen(text), LNSTAB__NUMBER_ROOM);
    ck_assert_msg(lnstab__number_parse(text, strlen(text), &back), "%s is refused", text);
    ck_assert_msg(bits_of(back) == bits_of(x), "%s reads back as %a, not %a", text, back, x);
    ck_assert_msg(bits_of(strtod(text, NULL)) == bits_of(x), "%s is %a to C, not %a", text,
                  strtod(text, NULL), x);
}

START_TEST(test_random_bit_patterns_round_trip) {
    uint64_t state = 88172645463325252U;
    int finite = 0;
    for (int i = 0; i < 100000; ++i) {
        uint64_t bits = next_bits(&state);
        double x;
        memcpy(&x, &bits, sizeof x);
        if (isfinite(x)) {
            assert_round_trip(x);
            ++finite;
        }
    }
    ck_assert_int_gt(finite, 99000); /* 1 in 2048 is not */
}
END_TEST

START_TEST(test_extremes_round_trip) {
    static const double extremes[] = {0.0,
                                      -0.0,
                                      DBL_MAX,
                                      -DBL_MAX,
                                      DBL_MIN,
                                      DBL_TRUE_MIN,
                                      -DBL_TRUE_MIN,
                                      1e22,
                                      1e23,
                                      0.1,
                                      1.0 / 3,
                                      DBL_EPSILON,
                                      1 + DBL_EPSILON,
                                      1e15,
                                      123456789.0,
                                      0x1p53,
                                      0x1p53 + 2,
                                      5e-324,
                                      2.2250738585072011e-308,
                                      1e300,
                                      9007199254740993.0};
    for (size_t i = 0; i < sizeof extremes / sizeof *extremes; ++i) {
        assert_round_trip(extremes[i]);
    }
}
END_TEST

START_TEST(test_shortest_text) {
    static const struct {
        double value;
        const char *text;
    } rows[] = {{0.1, "0.1"},
                {1e-5, "1e-05"},
                {6, "6"},
                {-2.5, "-2.5"},
                {1.0 / 3, "0.3333333333333333"},
                {2.0 / 3, "0.6666666666666666"},
                {0.1 + 0.2, "0.30000000000000004"},
                {1e300, "1e+300"},
                {INFINITY, "inf"},
                {-INFINITY, "-inf"},
                {NAN, "nan"},
                {-NAN, "nan"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        char text[LNSTAB__NUMBER_ROOM];
        ck_assert_str_eq(lnstab__number_format(text, rows[i].value), rows[i].text);
    }
}
END_TEST

START_TEST(test_numbers_that_are_taken) {
    static const struct {
        const char *text;
        double value;
    } rows[] = {{"1", 1},       {"+1", 1},      {"-1.5", -1.5},
                {".5", 0.5},    {"5.", 5},      {"1e3", 1e3},
                {"1E-3", 1e-3}, {"00012", 12},  {"1.7976931348623157e308", DBL_MAX},
                {"0", 0},       {"0.0e-999", 0}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        double value = 77;
        ck_assert_msg(lnstab__number_parse(rows[i].text, strlen(rows[i].text), &value), "%s",
                      rows[i].text);
        ck_assert_double_eq(value, rows[i].value);
    }
}
END_TEST

static void assert_number_refused(const char *text, size_t length) {
    double value = 77;
    ck_assert_msg(!lnstab__number_parse(text, length, &value), "'%s' is taken as %g", text, value);
    ck_assert_double_eq(value, 77);
}

START_TEST(test_numbers_that_are_refused) {
    static const char *const texts[] = {
        "",      "1e-999", "1e999", "-1e999", "inf", "nan", "infinity", "0x10",  "1,5", " 1",
        "1 ",    "\t1",    "1.2.3", "1e",     "e5",  "+",   "-",        ".",     "+-1", "--1",
        "1e5e5", "1e+",    "1e1.5", "0x1p3",  "1d5", "1f",  "١",        "1_000", "1.5x"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i) {
        assert_number_refused(texts[i], strlen(texts[i]));
    }
    assert_number_refused("1\0002", 3);
    assert_number_refused("12\000", 3);
}
END_TEST

START_TEST(test_only_the_given_length_is_read) {
    double value;
    int64_t integer;
    ck_assert(lnstab__number_parse("1.25e7", 4, &value));
    ck_assert_double_eq(value, 1.25);
    ck_assert(lnstab__number_parse("12345", 2, &value));
    ck_assert_double_eq(value, 12);
    ck_assert(lnstab__integer_parse("12345", 3, &integer));
    ck_assert_int_eq(integer, 123);
}
END_TEST

START_TEST(test_long_texts) {
    char text[300];
    double value = 77;
    int64_t integer = 77;
    memset(text, '0', sizeof text);
    text[0] = '1';
    /* 10^99 is a number and no integer; what is too long to be copied is refused, not cut */
    ck_assert(lnstab__number_parse(text, 100, &value));
    ck_assert_double_eq(value, 1e99);
    value = 77;
    for (size_t length = 200; length <= sizeof text; ++length) {
        ck_assert(!lnstab__number_parse(text, length, &value));
        ck_assert_double_eq(value, 77);
    }
    for (size_t length = 20; length <= sizeof text; ++length) {
        ck_assert(!lnstab__integer_parse(text, length, &integer));
    }
    ck_assert_int_eq(integer, 77);
}
END_TEST

START_TEST(test_integers) {
    static const struct {
        const char *text;
        int64_t value;
    } rows[] = {{"0", 0},   {"-1", -1},
                {"+7", 7},  {"9223372036854775807", INT64_MAX},
                {"007", 7}, {"-9223372036854775808", INT64_MIN}};
    static const char *const refused[] = {"9223372036854775808",
                                          "-9223372036854775809",
                                          "99999999999999999999",
                                          "",
                                          "1.0",
                                          "1e3",
                                          "0x10",
                                          " 1",
                                          "1 ",
                                          "-",
                                          "+",
                                          "--1",
                                          "1,0",
                                          "a",
                                          "1a",
                                          "inf"};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        int64_t value = 77;
        ck_assert_msg(lnstab__integer_parse(rows[i].text, strlen(rows[i].text), &value), "%s",
                      rows[i].text);
        ck_assert_int_eq(value, rows[i].value);
    }
    for (size_t i = 0; i < sizeof refused / sizeof *refused; ++i) {
        int64_t value = 77;
        ck_assert_msg(!lnstab__integer_parse(refused[i], strlen(refused[i]), &value), "'%s'",
                      refused[i]);
        ck_assert_int_eq(value, 77);
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("number");
    TCase *cases = tcase_create("number");
    tcase_set_timeout(cases, 60);
    tcase_add_test(cases, test_random_bit_patterns_round_trip);
    tcase_add_test(cases, test_extremes_round_trip);
    tcase_add_test(cases, test_shortest_text);
    tcase_add_test(cases, test_numbers_that_are_taken);
    tcase_add_test(cases, test_numbers_that_are_refused);
    tcase_add_test(cases, test_only_the_given_length_is_read);
    tcase_add_test(cases, test_long_texts);
    tcase_add_test(cases, test_integers);
    suite_add_tcase(suite, cases);
    return run_suite(suite);
}
