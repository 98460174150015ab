/* math/kernels_f32*.c: every path against the one of one number at a time. Vectors of eight are also built for whatever
 * processor runs this, so that their code is tested where their instructions are not. */

#include "unit/kernel_paths.h"

#include "lnstab.h"
#include "math/blas.h"

#define real float
#define element float
#define load(x) ((double)(x))
#define store(x) ((float)(x))
#define real_kernels kernels_by_eight
#define lanes_count 8

extern const struct lnstab__kernels kernels_by_eight;

#include "math/lanes_vector.inc.h"

#include "math/kernels_f32.inc.h"

START_TEST(test_by_eight) {
    for (size_t width = 1; width <= WIDEST; ++width) {
        check_path("by eight", &lnstab__kernels_f32, &kernels_by_eight, _i, width);
    }
}
END_TEST

/* Of exp and of the normal tail, before the rounding to float32. */
START_TEST(test_elementary) {
    for (double x = -90; x <= 90; x += 0.00037) {
        const long double wanted = expl((long double)x), got = (long double)row_exp(lanes_of(x))[3];
        require(fabsl(got / wanted - 1) < 4.8e-11L, "exp(%g) is %.15Lg", x, got);
    }
    ck_assert_double_eq(row_exp(lanes_of(0))[0], 1);
    for (double u = 0; u <= 36; u += 0.000173) {
        const lanes exponential = lanes_of(exp(-0.5 * u * u));
        const long double wanted = 0.5L * erfcl((long double)u / sqrtl(2));
        const long double got = (long double)row_tail(lanes_of(u), exponential)[5];
        require(fabsl(got / wanted - 1) < 2.5e-9L, "tail(%g) is %.15Lg", u, got);
    }
}
END_TEST

/* The path that this processor takes, and those it could. */
START_TEST(test_paths) {
    static const struct lnstab__kernels *const paths[] = {
        &lnstab__kernels_f32, &lnstab__kernels_f32_avx2, &lnstab__kernels_f32_avx512};
    for (int path = 0; path <= (int)lnstab__processor_vectors(); ++path) {
        for (size_t width = 1; paths[path]->size > 0 && width <= WIDEST; ++width) {
            check_path("path", &lnstab__kernels_f32, paths[path], _i, width);
        }
    }
}
END_TEST

START_TEST(test_found) {
    const struct lnstab__kernels *found = lnstab__kernels_find(lnstab__kernels_f32.dtype);
    ck_assert_int_eq(found->dtype, lnstab__kernels_f32.dtype);
    ck_assert_uint_eq(found->size, lnstab__kernels_f32.size);
    ck_assert_ptr_eq(found->affine, found);
    if (lnstab__processor_vectors() == LNSTAB__VECTORS_BASE) {
        ck_assert_ptr_eq(found, &lnstab__kernels_f32);
    }
    if (lnstab__processor_vectors() == LNSTAB__VECTORS_AVX2 && lnstab__kernels_f32_avx2.size) {
        ck_assert_ptr_eq(found, &lnstab__kernels_f32_avx2);
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("kernels_f32");
    TCase *cases = tcase_create("kernels_f32");
    tcase_add_loop_test(cases, test_by_eight, 0, KERNELS);
    tcase_add_loop_test(cases, test_paths, 0, KERNELS);
    tcase_add_test(cases, test_elementary);
    tcase_add_test(cases, test_found);
    suite_add_tcase(suite, cases);
    return run_suite(suite);
}
