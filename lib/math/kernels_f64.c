#include "math/kernels.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "lnstab.h"
#include "math/blas.h"

#define real double
#define element double
#define load(x) ((double)(x))
#define store(x) ((double)(x))
#define real_kernels lnstab__kernels_f64

#include "math/lanes_base.inc.h"

#include "math/kernels_f64.inc.h"
