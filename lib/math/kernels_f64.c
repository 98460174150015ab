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
#define real_exp exp
#define real_max DBL_MAX
#define real_min DBL_MIN
#define real_gemm lnstab__dgemm
#define real_dtype LNSTAB_FLOAT64
#define real_kernels lnstab__kernels_f64

#include "math/activation.inc.h"
#include "math/convert.inc.h"
#include "math/elements.inc.h"
#include "math/health_rows.inc.h"
#include "math/loss_rows.inc.h"
#include "math/norm_rows.inc.h"
#include "math/norm_jacobian.inc.h"
#include "math/rotary_rows.inc.h"
#include "math/softmax_rows.inc.h"

#include "math/kernel_table.inc.h"
