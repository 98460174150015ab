#ifndef LNSTAB_MATH_SUM_H
#define LNSTAB_MATH_SUM_H

#include <stddef.h>

double lnstab__sum(size_t n, const double *x);

#endif
