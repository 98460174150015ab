/* base/number.c on hosts whose decimal separator is not a point. A machine need not have such a locale,
 * so the file is compiled here over a C library that only plays one: its snprintf writes, and its strtod
 * wants, the separator that the test chose, of one or more bytes. */

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "support/main.h"

static const char *host_separator = ".";

/* text with the first `from` in it made into `to` */
static void replace(char *text, size_t room, const char *from, const char *to) {
    char rest[128];
    char *at = strstr(text, from);
    if (at) {
        snprintf(rest, sizeof rest, "%s", at + strlen(from));
        snprintf(at, room - (size_t)(at - text), "%s%s", to, rest);
    }
}

LNSTAB__PRINTF(3, 4)
static int host_snprintf(char *text, size_t room, const char *format, ...) {
    char made[128];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(made, sizeof made, format, arguments);
    va_end(arguments);
    replace(made, sizeof made, ".", host_separator);
    return snprintf(text, room, "%s", made);
}

/* A point is no part of a number where the separator is another. */
static double host_strtod(const char *text, char **end) {
    char copy[160];
    char *stop;
    snprintf(copy, sizeof copy, "%s", text);
    const int foreign = strcmp(host_separator, ".") != 0;
    if (foreign) {
        copy[strcspn(copy, ".")] = '\0';
    }
    const char *at = foreign ? strstr(copy, host_separator) : NULL;
    const size_t place = at ? (size_t)(at - copy) : 0;
    if (at) {
        replace(copy, sizeof copy, host_separator, ".");
    }
    double value = strtod(copy, &stop);
    size_t read = (size_t)(stop - copy);
    if (end) {
        *end =
            (char *)(uintptr_t)text + read + (at && read > place ? strlen(host_separator) - 1 : 0);
    }
    return value;
}

#define snprintf host_snprintf
#define strtod host_strtod
#include "base/number.c"
#undef snprintf
#undef strtod

static const char *const separators[] = {".", ",", "\xd9\xab", "<:>"};

START_TEST(test_the_played_host_is_foreign) {
    char text[32], *end;
    host_separator = separators[_i];
    host_snprintf(text, sizeof text, "%.2f", 1.25);
    ck_assert_int_eq(strstr(text, host_separator) == text + 1, 1);
    ck_assert_double_eq(host_strtod(text, &end), 1.25);
    ck_assert_ptr_eq(end, text + strlen(text));
    if (_i > 0) {
        ck_assert_double_eq(host_strtod("1.25", &end), 1.0);
    }
}
END_TEST

START_TEST(test_a_point_is_written_and_read) {
    static const double values[] = {1.5, -0.1, 1e-5, 1.25e300, 1.0 / 3, 6, -0.0, 5e-324, 1e22};
    static const char *const texts[] = {"1.5",
                                        "-0.1",
                                        "1e-05",
                                        "1.25e+300",
                                        "0.3333333333333333",
                                        "6",
                                        "-0",
                                        "4.94065645841247e-324",
                                        "1e+22"};
    host_separator = separators[_i];
    for (size_t i = 0; i < sizeof values / sizeof *values; ++i) {
        char text[LNSTAB__NUMBER_ROOM];
        double back = 77;
        ck_assert_str_eq(lnstab__number_format(text, values[i]), texts[i]);
        ck_assert(lnstab__number_parse(text, strlen(text), &back));
        ck_assert_mem_eq(&back, &values[i], sizeof back);
    }
}
END_TEST

START_TEST(test_the_hosts_own_separator_is_refused) {
    static const char *const texts[] = {"1,5",     "1\331\2535", "1<:>5", ",5",
                                        "1,000.5", "1.2.3",      "."};
    host_separator = separators[_i];
    for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i) {
        double value = 77;
        ck_assert_msg(!lnstab__number_parse(texts[i], strlen(texts[i]), &value), "'%s'", texts[i]);
        ck_assert_double_eq(value, 77);
    }
}
END_TEST

/* Every byte of a long number of points would grow by the separator: refused or read whole. */
START_TEST(test_long_texts_stay_in_their_room) {
    char text[200];
    host_separator = separators[_i];
    for (size_t length = 1; length < sizeof text; ++length) {
        double value = 77;
        memset(text, '.', length);
        ck_assert(!lnstab__number_parse(text, length, &value));
        memset(text, '0', length);
        text[length / 2] = '.';
        if (lnstab__number_parse(text, length, &value)) {
            ck_assert_double_eq(value, 0);
        } else {
            ck_assert(length == 1 || length > 100);
        }
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("number_locale");
    TCase *cases = tcase_create("number_locale");
    tcase_add_loop_test(cases, test_the_played_host_is_foreign, 0, 4);
    tcase_add_loop_test(cases, test_a_point_is_written_and_read, 0, 4);
    tcase_add_loop_test(cases, test_the_hosts_own_separator_is_refused, 0, 4);
    tcase_add_loop_test(cases, test_long_texts_stay_in_their_room, 0, 4);
    suite_add_tcase(suite, cases);
    return run_suite(suite);
}
