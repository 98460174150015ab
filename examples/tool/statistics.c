#include "statistics.h"

#include <math.h>

struct estimate estimate_of(const double *values, int count) {
    double mean = 0, squares = 0;
    for (int i = 0; i < count; i++)
        mean += values[i] / count;
    for (int i = 0; i < count; i++)
        squares += (values[i] - mean) * (values[i] - mean);
    double variance = count > 1 ? squares / (count - 1) : NAN;
    return (struct estimate){mean, sqrt(variance / count), count};
}

double half_width(struct estimate e, double miss) {
    return e.error * student_quantile(miss, e.seeds - 1);
}

/* A denominator of Lentz's method, kept away from 0. */
static double nonzero(double value) {
    return fabs(value) < 1e-300 ? 1e-300 : value;
}

/* Lentz's method for the continued fraction of I_x(a, b); converges fast for x < (a+1)/(a+b+2). */
static double beta_fraction(double a, double b, double x) {
    double c = 1, d = 1 / nonzero(1 - (a + b) * x / (a + 1)), value = d;
    for (int m = 1; m < 10000; m++) {
        double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
        d = 1 / nonzero(1 + even * d);
        c = nonzero(1 + even / c);
        value *= c * d;
        double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
        d = 1 / nonzero(1 + odd * d);
        c = nonzero(1 + odd / c);
        value *= c * d;
        if (fabs(c * d - 1) < 1e-15)
            break;
    }
    return value;
}

double incomplete_beta(double a, double b, double x) {
    if (!(x > 0))
        return 0;
    if (x >= 1)
        return 1;
    if (x > (a + 1) / (a + b + 2))
        return 1 - incomplete_beta(b, a, 1 - x);
    double scale = lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x);
    return exp(scale) * beta_fraction(a, b, x) / a;
}

/* Bisection down to neighbouring numbers: halving towards 0 keeps the relative accuracy of small x. */
double beta_quantile(double a, double b, double probability) {
    double low = 0, high = 1;
    for (int i = 0; i < 1100; i++) {
        double middle = low + (high - low) / 2;
        if (middle <= low || middle >= high)
            break;
        if (incomplete_beta(a, b, middle) < probability)
            low = middle;
        else
            high = middle;
    }
    return high;
}

/* Pr[|T| > t] = I_x(nu/2, 1/2) with x = nu/(nu + t^2). */
double student_quantile(double miss, double degrees) {
    double x = beta_quantile(degrees / 2, 0.5, miss);
    return sqrt(degrees * (1 - x) / x);
}

void clopper_pearson(double successes, double trials, double miss, double *lower, double *upper) {
    double failures = trials - successes;
    *lower = successes > 0 ? beta_quantile(successes, failures + 1, miss / 2) : 0;
    *upper = failures > 0 ? beta_quantile(successes + 1, failures, 1 - miss / 2) : 1;
}

double shared_miss(double miss, int count) {
    return -expm1(log1p(-miss) / count);
}

double slope_of(const double *x, const double *y, int count) {
    double mean_x = 0, mean_y = 0, xy = 0, xx = 0;
    for (int i = 0; i < count; i++) {
        mean_x += x[i] / count;
        mean_y += y[i] / count;
    }
    for (int i = 0; i < count; i++) {
        xy += (x[i] - mean_x) * (y[i] - mean_y);
        xx += (x[i] - mean_x) * (x[i] - mean_x);
    }
    return xy / xx;
}
