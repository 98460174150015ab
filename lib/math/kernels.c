#include "math/kernels.h"

#include "lnstab.h"

const struct lnstab__kernels *lnstab__kernels_find(int32_t dtype) {
    return dtype == LNSTAB_FLOAT32   ? &lnstab__kernels_f32
           : dtype == LNSTAB_FLOAT64 ? &lnstab__kernels_f64
                                     : NULL;
}
