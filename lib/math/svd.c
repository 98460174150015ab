#include "math/svd.h"

#include <math.h>
#include <string.h>

static double product(size_t n, const double *a, const double *b) {
    double sum = 0;
    for (size_t i = 0; i < n; ++i) {
        sum += a[i] * b[i];
    }
    return sum;
}

static void turn(size_t n, double *a, double *b, double cosine, double sine) {
    for (size_t i = 0; i < n; ++i) {
        const double u = a[i], v = b[i];
        a[i] = cosine * u - sine * v;
        b[i] = sine * u + cosine * v;
    }
}

/* Turns rows p and q of a until they are orthogonal, and x along; 0 if they were. */
static int make_orthogonal(size_t n, double *a, double *x, size_t p, size_t q) {
    const double square = product(n, a + p * n, a + p * n);
    const double other = product(n, a + q * n, a + q * n);
    const double inner = product(n, a + p * n, a + q * n);
    if (fabs(inner) <= 0x1p-51 * sqrt(square) * sqrt(other)) {
        return 0;
    }
    const double zeta = (other - square) / (2 * inner);
    const double size = 1 / (fabs(zeta) + hypot(1, zeta));
    const double tangent = zeta < 0 ? -size : size;
    const double cosine = 1 / hypot(1, tangent), sine = tangent * cosine;
    turn(n, a + p * n, a + q * n, cosine, sine);
    turn(n, x + p * n, x + q * n, cosine, sine);
    return 1;
}

/* The power of two that brings the largest entry to about 1. */
static double unit_of(size_t count, const double *a) {
    double largest = 0;
    int exponent;
    for (size_t i = 0; i < count; ++i) {
        largest = fmax(largest, fabs(a[i]));
    }
    frexp(largest, &exponent);
    return ldexp(1, exponent < -1000 ? -1000 : exponent > 1000 ? 1000 : exponent);
}

static void scale(size_t n, double factor, double *a) {
    for (size_t i = 0; i < n; ++i) {
        a[i] *= factor;
    }
}

static void swap(size_t n, double *a, double *b) {
    for (size_t i = 0; i < n; ++i) {
        const double held = a[i];
        a[i] = b[i];
        b[i] = held;
    }
}

static void sort(size_t n, double *a, double *x, double *sigma) {
    for (size_t i = 0; i < n; ++i) {
        size_t best = i;
        for (size_t j = i + 1; j < n; ++j) {
            best = sigma[j] > sigma[best] ? j : best;
        }
        if (best != i) {
            swap(1, sigma + i, sigma + best);
            swap(n, a + i * n, a + best * n);
            swap(n, x + i * n, x + best * n);
        }
    }
}

/* A row orthogonal to those before it: the axis that they show least of, without what they show. */
static void complete(size_t n, double *a, size_t row) {
    double *y = a + row * n;
    size_t axis = 0;
    memset(y, 0, n * sizeof *y);
    for (size_t i = 0; i < row; ++i) {
        for (size_t j = 0; j < n; ++j) {
            y[j] += a[i * n + j] * a[i * n + j];
        }
    }
    for (size_t j = 1; j < n; ++j) {
        axis = y[j] < y[axis] ? j : axis;
    }
    memset(y, 0, n * sizeof *y);
    y[axis] = 1;
    for (size_t pass = 0; pass < 2 * row; ++pass) {
        const double *done = a + pass % row * n;
        const double share = product(n, done, y);
        for (size_t j = 0; j < n; ++j) {
            y[j] -= share * done[j];
        }
    }
    scale(n, 1 / sqrt(product(n, y, y)), y);
}

void lnstab__svd(size_t n, double *a, double *x, double *sigma) {
    enum { SWEEPS = 60 };
    const double unit = unit_of(n * n, a);
    scale(n * n, 1 / unit, a);
    memset(x, 0, n * n * sizeof *x);
    for (size_t i = 0; i < n; ++i) {
        x[i * n + i] = 1;
    }
    int turned = 1;
    for (int sweep = 0; turned && sweep < SWEEPS; ++sweep) {
        turned = 0;
        for (size_t pair = 0; pair < n * n; ++pair) {
            const size_t p = pair / n, q = pair % n;
            turned |= p < q && make_orthogonal(n, a, x, p, q);
        }
    }
    for (size_t i = 0; i < n; ++i) {
        sigma[i] = sqrt(product(n, a + i * n, a + i * n));
    }
    sort(n, a, x, sigma);
    for (size_t i = 0; i < n; ++i) {
        if (sigma[i] > 0) {
            scale(n, 1 / sigma[i], a + i * n);
        } else {
            complete(n, a, i);
        }
    }
    scale(n, unit, sigma);
}
