#include "math/kernels.h"

#include <math.h>
#include <string.h>

#include "lnstab.h"

#define narrow_digits 10
#define narrow_bias 15
#define narrow_least 0x1p-24
#define narrow_dtype LNSTAB_FLOAT16
#define narrow_kernels lnstab__kernels_f16
#define real float

#include "math/narrow.inc.h"

#include "math/lanes.inc.h"

#include "math/convert.inc.h"
#include "math/norm_rows.inc.h"
#include "math/norm_jacobian.inc.h"

#include "math/narrow_table.inc.h"
