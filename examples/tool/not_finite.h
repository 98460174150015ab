/* Numbers that may be not finite: with eps = 0 a norm of equal entries is 0/0, and one class has no
 * gradient to divide by. */
#ifndef TOOL_NOT_FINITE_H
#define TOOL_NOT_FINITE_H

#include <math.h>

/* For printing: NaN without the sign that it may have. */
static inline double shown(double value) {
    return isnan(value) ? fabs((double)NAN) : value;
}

/* Unlike fmin and fmax, NaN if one of the two is. */
static inline double least_of(double a, double b) {
    return isnan(b) || b < a ? b : a;
}

static inline double largest_of(double a, double b) {
    return isnan(b) || b > a ? b : a;
}

#endif
