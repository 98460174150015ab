#ifndef LNSTAB_MATH_SECULAR_H
#define LNSTAB_MATH_SECULAR_H

#include <stddef.h>

/* Secular functions: sums over poles p_i >= 0, increasing between two of them. */

/* Sums over i with w_i = 1/(p_i - t):  w, w v, w v^2, w^2, w^2 v, w^2 v^2,  v_i = x_i - centre. */
struct lnstab__pole_sums {
    double w, wv, wvv, ww, wwv, wwvv;
};

/* t > 0. A pole at t is moved up by half a rounding of itself, so that every sum is finite. */
struct lnstab__pole_sums lnstab__pole_sums(size_t n, const double *poles, const double *x,
                                           double centre, double t);

/* A function at a point, and its derivative. */
struct lnstab__jet {
    double value, slope;
};

typedef struct lnstab__jet lnstab__secular_fn(const void *of, double t);

/* The root of f in [least, right], 0 <= left <= least <= right, least > 0: f increases between poles at left
 * and right, either of which may be none. Where f is negative up to right, the answer is right; where it
 * is positive from least on, least. Begins at first, left < first < right; at most 16 Newton steps, then
 * bisection: O(1) calls of f. */
double lnstab__secular_root(lnstab__secular_fn *f, const void *of, double left, double right,
                            double least, double first);

#endif
