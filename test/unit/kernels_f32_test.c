/* math/kernels_f32*.c: every path against the plain one, and the functions of float32. */

#include "unit/kernel_paths.h"

#define real_kernels kernels_by_eight
#define lanes_count 8

extern const struct lnstab__kernels kernels_by_eight;

#include "math/kernels_f32.inc.h"

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

int main(void) {
    static const struct lnstab__kernels *const by_vectors[] = {
        &lnstab__kernels_f32, &lnstab__kernels_f32_avx2, &lnstab__kernels_f32_avx512};
    return paths_main("kernels_f32", by_vectors, &kernels_by_eight, test_elementary);
}
