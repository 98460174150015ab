#include "math/kernels.h"

#include "lnstab.h"

const struct lnstab__kernels *lnstab__kernels_find(int32_t dtype) {
    switch (dtype) {
    case LNSTAB_FLOAT32:
        return &lnstab__kernels_f32;
    case LNSTAB_FLOAT64:
        return &lnstab__kernels_f64;
    case LNSTAB_BFLOAT16:
        return &lnstab__kernels_bf16;
    case LNSTAB_FLOAT16:
        return &lnstab__kernels_f16;
    default:
        return NULL;
    }
}
