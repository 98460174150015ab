/* Template: the table of float64, real_kernels, on the path that lanes_count says (math/lanes.inc.h). */

#include <float.h>
#include <math.h>
#include <string.h>

#include "lnstab.h"
#include "math/blas.h"

#define real double
#define element double
#define load(x) ((double)(x))
#define store(x) ((double)(x))
#define real_max DBL_MAX
#define real_min DBL_MIN
#define real_gemm lnstab__dgemm
#define real_dtype LNSTAB_FLOAT64

#include "math/lanes.inc.h"

#include "math/elementary_f64.inc.h"

#include "math/row_kernels.inc.h"
