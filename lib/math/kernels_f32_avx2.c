#include "math/kernels.h"

#if defined __AVX2__ && defined __FMA__

#include <immintrin.h>

#define lanes_count 4
#define lanes_widen(x) ((lanes)_mm256_cvtps_pd((__m128)(x)))
#define lanes_narrow(x) ((reals)_mm256_cvtpd_ps((__m256d)(x)))
#define lanes_larger(a, b) ((lanes)_mm256_max_pd((__m256d)(a), (__m256d)(b)))
#define lanes_smaller(a, b) ((lanes)_mm256_min_pd((__m256d)(a), (__m256d)(b)))
#define lanes_fused(a, b, c) ((lanes)_mm256_fmadd_pd((__m256d)(a), (__m256d)(b), (__m256d)(c)))
#define real_kernels lnstab__kernels_f32_avx2

#include "math/kernels_f32.inc.h"

#else

const struct lnstab__kernels lnstab__kernels_f32_avx2 = {0};

#endif
