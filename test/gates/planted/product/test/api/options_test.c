#include <check.h>

START_TEST(member) {
    ck_abort_msg("member 7 of the product is wrong");
}
END_TEST

int main(void) {
    Suite *suite = suite_create("options");
    TCase *cases = tcase_create("product");
    tcase_add_test(cases, member);
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
