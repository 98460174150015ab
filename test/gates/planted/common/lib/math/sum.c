#include "math/sum.h"

double lnstab__sum(size_t n, const double *x) {
    double s = 0;
    for (size_t i = 0; i < n; i++)
        s += x[i];
    return s;
}
