/* base/writer.h: text into a buffer that may be too small. */

#include "base/writer.h"

#include <string.h>

#include "lnstab.h"
#include "support/main.h"

static const char whole[] = "width 512, eps 1e-05.";

static void write_whole(struct lnstab__writer *w) {
    lnstab__write(w, "%s %d", "width", 512);
    lnstab__write(w, ", eps ");
    lnstab__write_number(w, 1e-5);
    lnstab__write(w, ".");
}

START_TEST(test_every_capacity) {
    for (size_t capacity = 0; capacity < 2 * sizeof whole; ++capacity) {
        char out[3 * sizeof whole];
        struct lnstab__message message = {"old"};
        size_t needed = 0;
        memset(out, '#', sizeof out);
        struct lnstab__writer w = {out, capacity, 0};
        write_whole(&w);
        const int32_t status = lnstab__writer_end(&w, &needed, &message);
        const size_t kept = capacity == 0             ? 0
                            : capacity < sizeof whole ? capacity - 1
                                                      : sizeof whole - 1;
        ck_assert_uint_eq(needed, sizeof whole);
        ck_assert_int_eq(status, capacity < sizeof whole ? LNSTAB_ERROR_CAPACITY : LNSTAB_OK);
        ck_assert_int_eq(strncmp(out, whole, kept), 0);
        if (capacity > 0) {
            ck_assert_uint_eq(strlen(out), kept);
        }
        for (size_t i = capacity; i < sizeof out; ++i) {
            ck_assert_int_eq(out[i], '#');
        }
    }
}
END_TEST

START_TEST(test_exact_fit_and_one_short) {
    char out[sizeof whole];
    struct lnstab__message message = {"old"};
    struct lnstab__writer exact = {out, sizeof whole, 0}, short_by_one = {out, sizeof whole - 1, 0};
    write_whole(&exact);
    ck_assert_int_eq(lnstab__writer_end(&exact, NULL, &message), LNSTAB_OK);
    ck_assert_str_eq(out, whole);
    ck_assert_str_eq(message.text, "");
    write_whole(&short_by_one);
    ck_assert_int_eq(lnstab__writer_end(&short_by_one, NULL, &message), LNSTAB_ERROR_CAPACITY);
    ck_assert_str_eq(message.text, "the text needs 22 bytes, the buffer has 21");
}
END_TEST

START_TEST(test_without_a_buffer) {
    struct lnstab__message message;
    struct lnstab__writer w = {NULL, 0, 0};
    size_t needed = 0;
    write_whole(&w);
    ck_assert_int_eq(lnstab__writer_end(&w, &needed, &message), LNSTAB_ERROR_CAPACITY);
    ck_assert_uint_eq(needed, sizeof whole);
}
END_TEST

START_TEST(test_a_text_of_nothing) {
    char out[4] = "###";
    struct lnstab__message message;
    struct lnstab__writer w = {out, sizeof out, 0};
    size_t needed = 0;
    lnstab__write(&w, "%s", "");
    ck_assert_int_eq(lnstab__writer_end(&w, &needed, &message), LNSTAB_OK);
    ck_assert_uint_eq(needed, 1);
    ck_assert_str_eq(out, "");
}
END_TEST

int main(void) {
    Suite *suite = suite_create("writer");
    TCase *cases = tcase_create("writer");
    tcase_add_test(cases, test_every_capacity);
    tcase_add_test(cases, test_exact_fit_and_one_short);
    tcase_add_test(cases, test_without_a_buffer);
    tcase_add_test(cases, test_a_text_of_nothing);
    suite_add_tcase(suite, cases);
    return run_suite(suite);
}
