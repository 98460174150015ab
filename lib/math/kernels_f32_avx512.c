#include "math/kernels.h"

#ifdef __AVX512F__

#include <immintrin.h>

#define lanes_count 8
#define lanes_widen(x) ((lanes)_mm512_cvtps_pd((__m256)(x)))
#define lanes_narrow(x) ((reals)_mm512_cvtpd_ps((__m512d)(x)))
#define lanes_larger(a, b) ((lanes)_mm512_max_pd((__m512d)(a), (__m512d)(b)))
#define lanes_smaller(a, b) ((lanes)_mm512_min_pd((__m512d)(a), (__m512d)(b)))
#define lanes_fused(a, b, c) ((lanes)_mm512_fmadd_pd((__m512d)(a), (__m512d)(b), (__m512d)(c)))
#define real_kernels lnstab__kernels_f32_avx512

#include "math/kernels_f32.inc.h"

#else

const struct lnstab__kernels lnstab__kernels_f32_avx512 = {0};

#endif
