/* Template: the table of float32, after lanes_*.inc.h of the path. */

#define real_max FLT_MAX
#define real_min FLT_MIN
#define real_gemm lnstab__sgemm
#define real_dtype LNSTAB_FLOAT32

#include "math/lanes.inc.h"

#include "math/elementary_f32.inc.h"

#include "math/row_kernels.inc.h"
