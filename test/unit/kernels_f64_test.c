/* math/kernels_f64*.c: every path against the one of one number at a time. Vectors of eight are also built for whatever
 * processor runs this, so that their code is tested where their instructions are not. */

#include "unit/kernel_paths.h"

#include "lnstab.h"
#include "math/blas.h"

#define real double
#define element double
#define load(x) ((double)(x))
#define store(x) ((double)(x))
#define real_kernels kernels_by_eight
#define lanes_count 8

extern const struct lnstab__kernels kernels_by_eight;

#include "math/lanes_vector.inc.h"

#include "math/kernels_f64.inc.h"

START_TEST(test_by_eight) {
    for (size_t width = 1; width <= WIDEST; ++width) {
        check_path("by eight", &lnstab__kernels_f64, &kernels_by_eight, _i, width);
    }
}
END_TEST

/* The path that this processor takes, and those it could. */
START_TEST(test_paths) {
    static const struct lnstab__kernels *const paths[] = {
        &lnstab__kernels_f64, &lnstab__kernels_f64_avx2, &lnstab__kernels_f64_avx512};
    for (int path = 0; path <= (int)lnstab__processor_vectors(); ++path) {
        for (size_t width = 1; paths[path]->size > 0 && width <= WIDEST; ++width) {
            check_path("path", &lnstab__kernels_f64, paths[path], _i, width);
        }
    }
}
END_TEST

START_TEST(test_found) {
    const struct lnstab__kernels *found = lnstab__kernels_find(lnstab__kernels_f64.dtype);
    ck_assert_int_eq(found->dtype, lnstab__kernels_f64.dtype);
    ck_assert_uint_eq(found->size, lnstab__kernels_f64.size);
    ck_assert_ptr_eq(found->affine, found);
    if (lnstab__processor_vectors() == LNSTAB__VECTORS_BASE) {
        ck_assert_ptr_eq(found, &lnstab__kernels_f64);
    }
    if (lnstab__processor_vectors() == LNSTAB__VECTORS_AVX2 && lnstab__kernels_f64_avx2.size) {
        ck_assert_ptr_eq(found, &lnstab__kernels_f64_avx2);
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("kernels_f64");
    TCase *cases = tcase_create("kernels_f64");
    tcase_add_loop_test(cases, test_by_eight, 0, KERNELS);
    tcase_add_loop_test(cases, test_paths, 0, KERNELS);
    tcase_add_test(cases, test_found);
    suite_add_tcase(suite, cases);
    return run_suite(suite);
}
