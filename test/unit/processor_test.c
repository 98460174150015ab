/* math/processor.c: against what the compiler's own library finds. */

#include "math/processor.h"

#include "support/main.h"

START_TEST(test_vectors) {
#if defined(__x86_64__) && defined(__GNUC__)
    const enum lnstab__vectors wanted =
        __builtin_cpu_supports("avx512f")                                 ? LNSTAB__VECTORS_AVX512
        : __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? LNSTAB__VECTORS_AVX2
                                                                          : LNSTAB__VECTORS_BASE;
#else
    const enum lnstab__vectors wanted = LNSTAB__VECTORS_BASE;
#endif
    ck_assert_int_eq((int)lnstab__processor_vectors(), (int)wanted);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("processor");
    TCase *cases = tcase_create("processor");
    tcase_add_test(cases, test_vectors);
    suite_add_tcase(suite, cases);
    return run_suite(suite);
}
