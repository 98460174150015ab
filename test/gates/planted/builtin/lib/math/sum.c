#include "math/sum.h"

double lnstab__sum(size_t n, const double *x) {
#ifdef LNSTAB_CBLAS
    return x[0] + (n > 1 ? x[1] : 0);
#else
    return n > 0 ? x[0] : 0;
#endif
}
