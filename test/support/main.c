#include "support/main.h"

#include <stdlib.h>

int run_suite(Suite *suite) {
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

int run_tests(const char *name, const TTest *const *tests, size_t count) {
    Suite *suite = suite_create(name);
    TCase *cases = tcase_create(name);
    tcase_set_timeout(cases, 60);
    for (size_t i = 0; i < count; ++i) {
        tcase_add_test(cases, tests[i]);
    }
    suite_add_tcase(suite, cases);
    return run_suite(suite);
}
