#include "math/kernels.h"

#ifdef __AVX2__

#include <float.h>
#include <math.h>
#include <string.h>

#include "lnstab.h"
#include "math/blas.h"

#define real double
#define element double
#define load(x) ((double)(x))
#define store(x) ((double)(x))
#define lanes_count 4
#define real_kernels lnstab__kernels_f64_avx2

#include "math/lanes_vector.inc.h"

#include "math/kernels_f64.inc.h"

#else

const struct lnstab__kernels lnstab__kernels_f64_avx2 = {0};

#endif
