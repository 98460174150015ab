#include "support/dense.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>

static long double product(size_t n, const long double *a, const long double *b) {
    long double sum = 0;
    for (size_t i = 0; i < n; ++i) {
        sum += a[i] * b[i];
    }
    return sum;
}

/* Turns two rows until they are orthogonal; 0 if they were. */
static int turn(size_t n, long double *p, long double *q) {
    const long double a = product(n, p, p), b = product(n, q, q), c = product(n, p, q);
    if (fabsl(c) <= 1e-18L * sqrtl(a) * sqrtl(b)) {
        return 0;
    }
    const long double zeta = (b - a) / (2 * c);
    const long double t = copysignl(1, zeta) / (fabsl(zeta) + hypotl(1, zeta));
    const long double cosine = 1 / hypotl(1, t), sine = t * cosine;
    for (size_t i = 0; i < n; ++i) {
        const long double u = p[i], v = q[i];
        p[i] = cosine * u - sine * v;
        q[i] = sine * u + cosine * v;
    }
    return 1;
}

static int descending(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x < y) - (x > y);
}

void dense_singular_values(size_t rows, size_t columns, const double *a, double *sigma) {
    const int is_tall = rows > columns;
    const size_t m = is_tall ? columns : rows, n = is_tall ? rows : columns;
    long double *w = malloc(m * n * sizeof *w);
    ck_assert_ptr_nonnull(w);
    for (size_t i = 0; i < m; ++i) {
        for (size_t j = 0; j < n; ++j) {
            w[i * n + j] = is_tall ? a[j * columns + i] : a[i * columns + j];
        }
    }
    int turned = 1;
    for (int sweep = 0; turned && sweep < 60; ++sweep) {
        turned = 0;
        for (size_t p = 0; p < m; ++p) {
            for (size_t q = p + 1; q < m; ++q) {
                turned |= turn(n, w + p * n, w + q * n);
            }
        }
    }
    for (size_t p = 0; p < m; ++p) {
        sigma[p] = (double)sqrtl(product(n, w + p * n, w + p * n));
    }
    qsort(sigma, m, sizeof *sigma, descending);
    free(w);
}
