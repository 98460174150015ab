/* Template: the table of float32, real_kernels, on the path that lanes_count says (math/lanes.inc.h). */

#include <float.h>
#include <math.h>
#include <string.h>

#include "lnstab.h"
#include "math/blas.h"

#define real float
#define element float
#define load(x) ((double)(x))
#define store(x) ((float)(x))
#define real_max FLT_MAX
#define real_min FLT_MIN
#define real_gemm lnstab__sgemm
#define real_dtype LNSTAB_FLOAT32

#include "math/lanes.inc.h"

#include "math/elementary_f32.inc.h"

#include "math/row_kernels.inc.h"
