#include <check.h>
#include <stdlib.h>

static void *volatile lnstab__keep;

START_TEST(bad) {
    lnstab__keep = malloc(7);
    lnstab__keep = NULL;
}
END_TEST

int main(void) {
    Suite *suite = suite_create("leak");
    TCase *tcase = tcase_create("leak");
    tcase_add_test(tcase, bad);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
