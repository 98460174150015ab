#include "math/gram_norm.h"

#include <math.h>

#include "math/blas.h"
#include "math/cholesky.h"

double lnstab__rounding(double n) {
    const double u = 0x1p-53;
    return n * u / (1 - n * u);
}

/* What allowances are multiplied by, as they are rounded themselves. */
#define ROUNDED_UP 1.01

/* A Gram matrix and its eigenvalue: G is what was computed. */
struct gram {
    size_t n;
    const double *g;
    double trace; /* at least ||A||_F^2 */
    double error; /* at least ||G - A A^T||_2 */
    double ritz;  /* x^T G x/x^T x */
};

static void multiply(void *self, const double *x, double *y) {
    const struct gram *g = self;
    lnstab__dgemm(0, 0, 1, g->n, g->n, 1, x, g->n, g->g, g->n, 0, y, g->n);
}

static double product(size_t n, const double *x, const double *y) {
    double sum = 0;
    for (size_t i = 0; i < n; ++i) {
        sum += x[i] * y[i];
    }
    return sum;
}

static void find_ritz_value(struct gram *g, const struct lnstab__lanczos_room *room) {
    const struct lnstab__operator a = {g->n, g->n, multiply, multiply, g};
    const struct lnstab__lanczos how = {.wanted = 1, .tolerance = 1e-8};
    double sigma, residual;
    lnstab__lanczos(&a, room, how, &sigma, &residual);
    multiply(g, room->v, room->u);
    g->ritz = product(g->n, room->v, room->u) / product(g->n, room->v, room->v);
}

/* What a factorisation of tau - G that ran to its end leaves open: ||A||_2^2 <= tau + this. */
static double allowance(const struct gram *g, double tau) {
    const double n = (double)g->n;
    return g->error + ROUNDED_UP * (0x1p-53 + n * lnstab__rounding(n + 2)) * tau;
}

static int is_above(const struct gram *g, double tau, double *factor) {
    for (size_t i = 0; i < g->n; ++i) {
        for (size_t j = 0; j <= i; ++j) {
            factor[i * g->n + j] = -g->g[i * g->n + j];
        }
        factor[i * g->n + i] = tau - g->g[i * g->n + i];
    }
    return lnstab__cholesky(g->n, factor);
}

/* At least ||A||_2^2: the first of ever larger tau, from just above the Ritz value, that is proved to be above;
 * at last ||A||_F^2. */
static double square_above(const struct gram *g, double *factor) {
    const double start = fmax(g->ritz, g->trace / (double)g->n);
    for (double gap = 1e-9 * start; start + gap < g->trace; gap *= 8) {
        const double tau = start + gap + allowance(g, start);
        if (is_above(g, tau, factor)) {
            return tau + allowance(g, tau);
        }
    }
    return g->trace + g->error;
}

struct lnstab__norm_bounds lnstab__gram_norm(size_t n, size_t products, const double *gram,
                                             const struct lnstab__lanczos_room *room,
                                             double *factor) {
    struct gram g = {.n = n, .g = gram};
    for (size_t i = 0; i < n; ++i) {
        g.trace += gram[i * n + i];
    }
    if (!(g.trace > 0)) {
        return (struct lnstab__norm_bounds){g.trace, g.trace};
    }
    const double terms = (double)products, rounding = lnstab__rounding(terms + (double)n + 2);
    g.trace *= 1 + ROUNDED_UP * rounding;
    /* products below the range of normal numbers are off by as much, in each of n^2 entries */
    g.error = ROUNDED_UP * lnstab__rounding(terms) * g.trace + (double)n * terms * 0x1p-1000;
    find_ritz_value(&g, room);
    const double below = g.ritz - g.error - 4 * lnstab__rounding((double)n + 2) * g.trace;
    return (struct lnstab__norm_bounds){(1 - 0x1p-50) * sqrt(fmax(below, 0)),
                                        (1 + 0x1p-50) * sqrt(square_above(&g, factor))};
}
