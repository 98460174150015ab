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
#define real_exp expf
#define real_max FLT_MAX
#define real_min FLT_MIN
#define real_gemm lnstab__sgemm
#define real_dtype LNSTAB_FLOAT32
#define real_kernels lnstab__kernels_f32

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
