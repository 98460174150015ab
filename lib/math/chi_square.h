#ifndef LNSTAB_MATH_CHI_SQUARE_H
#define LNSTAB_MATH_CHI_SQUARE_H

#include <stdint.h>

/* Pr[X > (1 + excess) d], X chi-square of d >= 1 degrees of freedom, excess >= 0: the regularised incomplete
 * gamma function Q(d/2, (1 + excess) d/2). 1e-12 of its value for d up to 1e6, down to 1e-300. At most
 * 6 sqrt d + 50 steps. */
double lnstab__chi_square_tail(int64_t d, double excess);

#endif
