#ifndef LNSTAB_TEST_MAIN_H
#define LNSTAB_TEST_MAIN_H

#include <check.h>
#include <stddef.h>

/* Runs one suite as the whole program. */
int run_suite(Suite *suite);

/* Runs tests as one suite. */
int run_tests(const char *name, const TTest *const *tests, size_t count);

#endif
