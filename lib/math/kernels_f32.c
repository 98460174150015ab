#include "math/kernels.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "lnstab.h"
#include "math/blas.h"

#define real float
#define element float
#define load(x) ((double)(x))
#define store(x) ((float)(x))
#define real_kernels lnstab__kernels_f32

#include "math/lanes_base.inc.h"

#include "math/kernels_f32.inc.h"
