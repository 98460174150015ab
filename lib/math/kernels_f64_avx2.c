#include "math/kernels.h"

#if defined __AVX2__ && defined __FMA__

#define lanes_count 4
#define real_kernels lnstab__kernels_f64_avx2

#include "math/kernels_f64.inc.h"

#else

const struct lnstab__kernels lnstab__kernels_f64_avx2 = {0};

#endif
