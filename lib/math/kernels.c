#include "math/kernels.h"

#include "lnstab.h"
#include "math/processor.h"

/* Of a type, by the vectors they need; a table without a size was built without them. */
static const struct lnstab__kernels *const f32[] = {
    [LNSTAB__VECTORS_BASE] = &lnstab__kernels_f32,
    [LNSTAB__VECTORS_AVX2] = &lnstab__kernels_f32_avx2,
    [LNSTAB__VECTORS_AVX512] = &lnstab__kernels_f32_avx512,
};
static const struct lnstab__kernels *const f64[] = {
    [LNSTAB__VECTORS_BASE] = &lnstab__kernels_f64,
    [LNSTAB__VECTORS_AVX2] = &lnstab__kernels_f64_avx2,
    [LNSTAB__VECTORS_AVX512] = &lnstab__kernels_f64_avx512,
};

static const struct lnstab__kernels *widest(const struct lnstab__kernels *const *paths) {
    int vectors = (int)lnstab__processor_vectors();
    while (paths[vectors]->size == 0) {
        --vectors;
    }
    return paths[vectors];
}

const struct lnstab__kernels *lnstab__kernels_find(int32_t dtype) {
    switch (dtype) {
    case LNSTAB_FLOAT32:
        return widest(f32);
    case LNSTAB_FLOAT64:
        return widest(f64);
    case LNSTAB_BFLOAT16:
        return &lnstab__kernels_bf16;
    case LNSTAB_FLOAT16:
        return &lnstab__kernels_f16;
    default:
        return NULL;
    }
}
