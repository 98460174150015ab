#include "math/kernels.h"

#include <math.h>
#include <string.h>

#include "lnstab.h"

#define narrow_digits 7
#define narrow_bias 127
#define narrow_least 0x1p-133
#define narrow_dtype LNSTAB_BFLOAT16
#define narrow_kernels lnstab__kernels_bf16
#define real float

#include "math/narrow.inc.h"

#include "math/lanes.inc.h"

#include "math/convert.inc.h"
#include "math/norm_rows.inc.h"
#include "math/norm_jacobian.inc.h"

#include "math/narrow_table.inc.h"
