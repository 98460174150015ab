#include "math/kernels.h"

#define real_kernels lnstab__kernels_f64

#include "math/kernels_f64.inc.h"
