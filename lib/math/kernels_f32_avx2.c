#include "math/kernels.h"

#ifdef __AVX2__

#define lanes_count 4
#define real_kernels lnstab__kernels_f32_avx2

#include "math/kernels_f32.inc.h"

#else

const struct lnstab__kernels lnstab__kernels_f32_avx2 = {0};

#endif
