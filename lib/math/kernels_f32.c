#include "math/kernels.h"

#define real_kernels lnstab__kernels_f32

#include "math/kernels_f32.inc.h"
