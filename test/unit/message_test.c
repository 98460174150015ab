/* base/message.h: the sentence about the last failure. */

#include "base/message.h"

#include <string.h>

#include "lnstab.h"
#include "support/main.h"

START_TEST(test_fail_keeps_sentence_and_returns_status) {
    struct lnstab__message m = {0};
    ck_assert_int_eq(lnstab__fail(&m, LNSTAB_ERROR_NAME, "no key '%s', %d", "width", 7),
                     LNSTAB_ERROR_NAME);
    ck_assert_str_eq(m.text, "no key 'width', 7");
    ck_assert_int_eq(lnstab__fail(&m, -77, "short"), -77);
    ck_assert_str_eq(m.text, "short");
}
END_TEST

START_TEST(test_sentence_is_cut_at_its_room) {
    struct {
        struct lnstab__message m;
        char behind[8];
    } held;
    char text[400];
    for (size_t length = 315; length <= 325; ++length) {
        memset(text, 'x', length);
        text[length] = '\0';
        memset(&held, '#', sizeof held);
        lnstab__fail(&held.m, -1, "%s", text);
        ck_assert_uint_eq(strlen(held.m.text), length < 320 ? length : 319);
        ck_assert_int_eq(strncmp(held.m.text, text, strlen(held.m.text)), 0);
        ck_assert_int_eq(memcmp(held.behind, "########", 8), 0);
    }
}
END_TEST

START_TEST(test_succeed_clears) {
    struct lnstab__message m = {0};
    lnstab__fail(&m, -1, "something");
    ck_assert_int_eq(lnstab__succeed(&m), LNSTAB_OK);
    ck_assert_str_eq(m.text, "");
}
END_TEST

int main(void) {
    Suite *suite = suite_create("message");
    TCase *cases = tcase_create("message");
    tcase_add_test(cases, test_fail_keeps_sentence_and_returns_status);
    tcase_add_test(cases, test_sentence_is_cut_at_its_room);
    tcase_add_test(cases, test_succeed_clears);
    suite_add_tcase(suite, cases);
    return run_suite(suite);
}
