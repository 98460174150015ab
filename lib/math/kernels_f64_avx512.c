#include "math/kernels.h"

#ifdef __AVX512F__

#define lanes_count 8
#define real_kernels lnstab__kernels_f64_avx512

#include "math/kernels_f64.inc.h"

#else

const struct lnstab__kernels lnstab__kernels_f64_avx512 = {0};

#endif
