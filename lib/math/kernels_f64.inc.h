/* Template: the table of float64, after lanes_*.inc.h of the path. */

#define real_max DBL_MAX
#define real_min DBL_MIN
#define real_gemm lnstab__dgemm
#define real_dtype LNSTAB_FLOAT64

#include "math/lanes.inc.h"

#include "math/elementary_f64.inc.h"

#include "math/row_kernels.inc.h"
