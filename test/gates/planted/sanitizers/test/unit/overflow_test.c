#include <check.h>
#include <stdlib.h>

START_TEST(bad) {
    volatile size_t size = 7;
    volatile char *p = malloc(size);
    p[size] = 1;
    free((void *)p);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("overflow");
    TCase *tcase = tcase_create("overflow");
    tcase_add_test(tcase, bad);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
