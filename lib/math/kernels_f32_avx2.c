#include "math/kernels.h"

#ifdef __AVX2__

#include <float.h>
#include <math.h>
#include <string.h>

#include "lnstab.h"
#include "math/blas.h"

#define real float
#define element float
#define load(x) ((double)(x))
#define store(x) ((float)(x))
#define lanes_count 4
#define real_kernels lnstab__kernels_f32_avx2

#include "math/lanes_vector.inc.h"

#include "math/kernels_f32.inc.h"

#else

const struct lnstab__kernels lnstab__kernels_f32_avx2 = {0};

#endif
