#include "lnstab.h"

#include <check.h>

START_TEST(sum) {
    lnstab_toy *toy = NULL;
    double x[2] = {1, 2};
    ck_assert_int_eq(lnstab_toy_create(2, &toy), LNSTAB_OK);
    ck_assert_double_eq(lnstab_toy_sum(toy, x), 9);
    lnstab_toy_destroy(toy);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("toy");
    TCase *tcase = tcase_create("toy");
    tcase_add_test(tcase, sum);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
