#ifndef LNSTAB_TEST_UNIT_NAIVE_NORM_H
#define LNSTAB_TEST_UNIT_NAIVE_NORM_H

#include <math.h>
#include <stddef.h>

/* LayerNorm and RMSNorm of one row as the header writes them down, in long double: what the library's
 * rows are judged by. norm_rows_test.c checks this against the oracle's fixture. */

struct naive_norm {
    int rms;
    size_t d;
    double eps, scale;
    const double *gamma, *bias; /* NULL for 1 and for 0 */
};

/* The mean is origin + mean: a mean far from the origin in one number would cost the digits of x - mean. */
struct naive_row {
    long double origin, mean, s;
};

static inline long double naive_centred(struct naive_row r, double x) {
    return (long double)x - r.origin - r.mean;
}

static inline struct naive_row naive_measure(const struct naive_norm *n, const double *x) {
    struct naive_row r = {n->rms ? 0 : (long double)x[0], 0, 0};
    for (size_t i = 0; i < n->d && !n->rms; ++i) {
        r.mean += (long double)x[i] - r.origin;
    }
    r.mean /= (long double)n->d;
    for (size_t i = 0; i < n->d; ++i) {
        r.s += naive_centred(r, x[i]) * naive_centred(r, x[i]);
    }
    r.s = sqrtl(r.s / (long double)n->d + (long double)n->eps);
    return r;
}

static inline long double naive_gamma(const struct naive_norm *n, size_t i) {
    return n->gamma ? (long double)n->gamma[i] : 1;
}

static inline void naive_forward(const struct naive_norm *n, const double *x, double *y) {
    const struct naive_row r = naive_measure(n, x);
    for (size_t i = 0; i < n->d; ++i) {
        const long double z = naive_centred(r, x[i]) / r.s;
        const long double bias = n->bias ? (long double)n->bias[i] : 0;
        y[i] = (double)((long double)n->scale * (naive_gamma(n, i) * z + bias));
    }
}

/* out = (scale/s) [t - mean(t) - z mean(t z)], t = gamma dy (backward), or the bracket of v times gamma */
static inline void naive_project(const struct naive_norm *n, const double *x, const double *t,
                                 double *out, int backward) {
    const struct naive_row r = naive_measure(n, x);
    long double mean = 0, along = 0;
    for (size_t i = 0; i < n->d; ++i) {
        const long double value = (long double)t[i] * (backward ? naive_gamma(n, i) : 1);
        mean += n->rms ? 0 : value / (long double)n->d;
        along += value * naive_centred(r, x[i]) / r.s / (long double)n->d;
    }
    for (size_t i = 0; i < n->d; ++i) {
        const long double value = (long double)t[i] * (backward ? naive_gamma(n, i) : 1);
        const long double z = naive_centred(r, x[i]) / r.s;
        out[i] = (double)((long double)n->scale / r.s * (value - mean - z * along) *
                          (backward ? 1 : naive_gamma(n, i)));
    }
}

/* dgamma += scale dy z */
static inline void naive_dgamma(const struct naive_norm *n, const double *x, const double *dy,
                                double *dgamma) {
    const struct naive_row r = naive_measure(n, x);
    for (size_t i = 0; i < n->d; ++i) {
        dgamma[i] +=
            (double)((long double)n->scale * (long double)dy[i] * naive_centred(r, x[i]) / r.s);
    }
}

#endif
