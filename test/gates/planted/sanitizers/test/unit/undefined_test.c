#include <check.h>

START_TEST(bad) {
    volatile int large = 2147483647;
    int n = large + 1;
    ck_assert_int_ne(n, 0);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("undefined");
    TCase *tcase = tcase_create("undefined");
    tcase_add_test(tcase, bad);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
