#ifndef LNSTAB_TEST_UNIT_DENSE_JACOBIAN_H
#define LNSTAB_TEST_UNIT_DENSE_JACOBIAN_H

#include "unit/harness.h"

/* The Jacobian of a norm as a matrix, from the formula in long double, and its singular values by
 * one-sided Jacobi rotations: an oracle that shares nothing with the library. */

enum { DENSE_WIDTH = 64 };

struct dense {
    size_t d;
    long double rstd;
    long double rows[DENSE_WIDTH][DENSE_WIDTH];
    long double values[DENSE_WIDTH]; /* descending */
};

static inline void dense_fill(struct dense *m, int rms, size_t d, const double *x,
                              const double *gamma, double eps) {
    long double y[DENSE_WIDTH], mean = 0, variance = eps;
    for (size_t i = 0; i < d && !rms; ++i) {
        mean += ((long double)x[i] - x[0]) / (long double)d;
    }
    for (size_t i = 0; i < d; ++i) {
        y[i] = rms ? x[i] : (long double)x[i] - x[0] - mean;
        variance += y[i] * y[i] / (long double)d;
    }
    m->d = d;
    m->rstd = 1 / sqrtl(variance);
    for (size_t i = 0; i < d; ++i) {
        for (size_t j = 0; j < d; ++j) {
            const long double z = y[i] * m->rstd, other = y[j] * m->rstd;
            m->rows[i][j] = gamma[i] * m->rstd *
                            ((long double)(i == j) - (rms ? 0 : 1 / (long double)d) -
                             z * other / (long double)d);
        }
    }
}

static inline long double dense_product(const struct dense *m, size_t p, size_t q) {
    long double sum = 0;
    for (size_t i = 0; i < m->d; ++i) {
        sum += m->rows[p][i] * m->rows[q][i];
    }
    return sum;
}

/* Turns rows p and q until they are orthogonal; 0 if they were. */
static inline int dense_turn(struct dense *m, size_t p, size_t q) {
    const long double a = dense_product(m, p, p), b = dense_product(m, q, q);
    const long double c = dense_product(m, p, q);
    if (fabsl(c) <= 1e-19L * sqrtl(a) * sqrtl(b)) {
        return 0;
    }
    const long double zeta = (b - a) / (2 * c);
    const long double t = copysignl(1, zeta) / (fabsl(zeta) + hypotl(1, zeta));
    const long double cosine = 1 / hypotl(1, t), sine = t * cosine;
    for (size_t i = 0; i < m->d; ++i) {
        const long double u = m->rows[p][i], v = m->rows[q][i];
        m->rows[p][i] = cosine * u - sine * v;
        m->rows[q][i] = sine * u + cosine * v;
    }
    return 1;
}

static int dense_descending(const void *a, const void *b) {
    const long double x = *(const long double *)a, y = *(const long double *)b;
    return (x < y) - (x > y);
}

static inline void dense_singular_values(struct dense *m) {
    int turned = 1;
    for (int sweep = 0; turned && sweep < 40; ++sweep) {
        turned = 0;
        for (size_t p = 0; p < m->d; ++p) {
            for (size_t q = p + 1; q < m->d; ++q) {
                turned |= dense_turn(m, p, q);
            }
        }
    }
    for (size_t p = 0; p < m->d; ++p) {
        m->values[p] = sqrtl(dense_product(m, p, p));
    }
    qsort(m->values, m->d, sizeof *m->values, dense_descending);
}

#endif
