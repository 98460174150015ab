#include "analysis/sensitivity.h"

#include <math.h>
#include <string.h>

#include "analysis/scene.h"
#include "nn/init.h"

static size_t offset(const struct lnstab__block *b) {
    return b->first * (size_t)b->m->spec.width;
}

static size_t size(const struct lnstab__block *b) {
    return b->rows * (size_t)b->m->spec.width;
}

/* Where the block's entries of a product begin, all others 0. */
static void *start(const struct lnstab__block *b) {
    const struct lnstab__kernels *k = b->m->kernels;
    void *all = lnstab__model_start(b->m);
    memset(all, 0, lnstab__model_stream_count(b->m) * k->size);
    return lnstab__at(k, all, offset(b));
}

static void push(void *self, const double *x, double *y) {
    const struct lnstab__block *b = self;
    const struct lnstab__kernels *k = b->m->kernels;
    k->from_double(size(b), x, start(b));
    k->to_double(size(b), lnstab__at_const(k, lnstab__model_push(b->m, b->from, b->to), offset(b)),
                 y);
}

static void pull(void *self, const double *y, double *x) {
    const struct lnstab__block *b = self;
    const struct lnstab__kernels *k = b->m->kernels;
    k->from_double(size(b), y, start(b));
    k->to_double(size(b), lnstab__at_const(k, lnstab__model_pull(b->m, b->from, b->to), offset(b)),
                 x);
}

struct lnstab__lanczos_result lnstab__block_singular_values(struct lnstab__block block, size_t k,
                                                            double *sigma, double *residual) {
    const struct lnstab__operator j = {size(&block), size(&block), push, pull, &block};
    const double tolerance = block.m->spec.dtype == LNSTAB_FLOAT64 ? 1e-10 : 1e-5;
    return lnstab__lanczos(&j, &block.m->krylov.lanczos, (struct lnstab__lanczos){k, tolerance, 1},
                           sigma, residual);
}

/* Without convergence a value is known to its residual only, which is all of it where products cancel. */
double lnstab__block_norm(struct lnstab__block block) {
    const struct lnstab__operator j = {size(&block), size(&block), push, pull, &block};
    const struct lnstab__lanczos how = {.wanted = 1, .tolerance = 1e-5};
    double sigma, residual;
    const struct lnstab__lanczos_result got =
        lnstab__lanczos(&j, &block.m->krylov.lanczos, how, &sigma, &residual);
    return got.converged > 0 ? sigma : lnstab__larger(sigma - residual, 0.0);
}

/* ---- Hutchinson ---- */

/* Signs of one probe, in the block's entries. */
static void draw_signs(const struct lnstab__block *b, uint64_t seed, uint32_t probe) {
    enum { CHUNK = 256 };
    const struct lnstab__stream stream = {seed, LNSTAB__KIND_PROBE, probe};
    const struct lnstab__kernels *k = b->m->kernels;
    void *at = start(b);
    double signs[CHUNK];
    for (size_t first = 0; first < size(b); first += CHUNK) {
        const size_t count = size(b) - first < CHUNK ? size(b) - first : CHUNK;
        lnstab__draw_uniform(stream, first, count, signs);
        for (size_t i = 0; i < count; ++i) {
            signs[i] = signs[i] < 0.5 ? -1 : 1;
        }
        k->from_double(count, signs, lnstab__at(k, at, first));
    }
}

/* ||x||^2 in units of 2^(2 exponent), which the first x that is not 0 decides. */
static double square_of(const struct lnstab__kernels *k, size_t n, const void *x, int *exponent) {
    struct lnstab__health health = {0};
    k->health(n, x, &health);
    if (health.nonfinite > 0) {
        return NAN;
    }
    if (*exponent == INT32_MIN && health.largest > 0) {
        frexp(health.largest, exponent);
        *exponent = *exponent < -1000 ? -1000 : *exponent > 1000 ? 1000 : *exponent;
    }
    return health.largest > 0 ? k->scaled_square(n, ldexp(1, -*exponent), x) : 0;
}

struct lnstab__estimate lnstab__block_frobenius(struct lnstab__block block, uint32_t probes,
                                                uint64_t seed) {
    const struct lnstab__kernels *k = block.m->kernels;
    int exponent = INT32_MIN;
    double mean = 0, sum_of_squares = 0;
    for (uint32_t i = 0; i < probes; ++i) {
        draw_signs(&block, seed, i);
        const void *jz = lnstab__model_push(block.m, block.from, block.to);
        const double square =
            square_of(k, size(&block), lnstab__at_const(k, jz, offset(&block)), &exponent);
        const double step = square - mean;
        mean += step / (i + 1);
        sum_of_squares += step * (square - mean);
    }
    const double root = sqrt(mean), n = probes;
    const double error = sqrt(sum_of_squares / (n - 1) / n); /* of the mean */
    return (struct lnstab__estimate){mean == 0 ? 0 : ldexp(root, exponent),
                                     mean == 0 ? 0 : ldexp(error / (2 * root), exponent)};
}
