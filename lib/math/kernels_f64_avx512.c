#include "math/kernels.h"

#ifdef __AVX512F__

#include <float.h>
#include <math.h>
#include <string.h>

#include "lnstab.h"
#include "math/blas.h"

#define real double
#define element double
#define load(x) ((double)(x))
#define store(x) ((double)(x))
#define lanes_count 8
#define real_kernels lnstab__kernels_f64_avx512

#include "math/lanes_vector.inc.h"

#include "math/kernels_f64.inc.h"

#else

const struct lnstab__kernels lnstab__kernels_f64_avx512 = {0};

#endif
