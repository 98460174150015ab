#include "math/blas.h"

const char *lnstab__blas_name(void) {
#ifdef LNSTAB_CBLAS
    return "cblas";
#else
    return "builtin";
#endif
}
