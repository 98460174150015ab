/* math/kernels_f64*.c: every path against the plain one. */

#include "unit/kernel_paths.h"

#define real_kernels kernels_by_eight
#define lanes_count 8

extern const struct lnstab__kernels kernels_by_eight;

#include "math/kernels_f64.inc.h"

int main(void) {
    static const struct lnstab__kernels *const by_vectors[] = {
        &lnstab__kernels_f64, &lnstab__kernels_f64_avx2, &lnstab__kernels_f64_avx512};
    return paths_main("kernels_f64", by_vectors, &kernels_by_eight, NULL);
}
