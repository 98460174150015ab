#include "nn/init.h"

#include <math.h>

/* variance = numerator/(in fan_in + out fan_out + fixed), and less by the number of branches where the
 * scheme shrinks the matrices that end one. */
struct scheme {
    const char *name;
    enum lnstab__distribution distribution;
    double numerator, in, out, fixed;
    int shrinks_residual;
};

/* The variance of a standard normal cut at 2: 1 - 4 phi(2)/(2 Phi(2) - 1). */
#define TRUNCATED_VARIANCE 0.77374130354992325

static const struct scheme schemes[] = {
    {"xavier_normal", LNSTAB__NORMAL, 2.0, 1, 1, 0, 0}, /* Glorot and Bengio 2010 */
    {"xavier_uniform", LNSTAB__UNIFORM, 2.0, 1, 1, 0, 0},
    {"lecun_normal", LNSTAB__NORMAL, 1.0, 1, 0, 0, 0}, /* LeCun et al. 1998 */
    {"unit_normal", LNSTAB__NORMAL, 1.0, 0, 0, 1, 0},  /* embeddings with E||x||^2 = d */
    {"gpt2", LNSTAB__NORMAL, 4e-4, 0, 0, 1, 1},        /* 0.02, ends of branches 0.02/sqrt(2L) */
    {"bert", LNSTAB__TRUNCATED, 4e-4 * TRUNCATED_VARIANCE, 0, 0, 1, 0}, /* 0.02, cut at 0.04 */
    {"olmo2", LNSTAB__NORMAL, 4e-4, 0, 0, 1, 0},                        /* 0.02 everywhere */
};

int lnstab__scheme_count(void) {
    return (int)(sizeof schemes / sizeof *schemes);
}

const char *lnstab__scheme_name(int scheme) {
    return schemes[scheme].name;
}

struct lnstab__init lnstab__scheme_init(int scheme, size_t fan_in, size_t fan_out,
                                        size_t residual) {
    const struct scheme *s = &schemes[scheme];
    const double fan = s->in * (double)fan_in + s->out * (double)fan_out + s->fixed;
    const double branches = s->shrinks_residual && residual > 0 ? (double)residual : 1.0;
    return (struct lnstab__init){.distribution = s->distribution,
                                 .value = sqrt(s->numerator / fan / branches)};
}

struct lnstab__init lnstab__init_constant(double value) {
    return (struct lnstab__init){.distribution = LNSTAB__CONSTANT, .value = value};
}

/* x_i = scale (draw_i - centre) */
static void shift(size_t n, double centre, double scale, double *x) {
    for (size_t i = 0; i < n; ++i) {
        x[i] = scale * (x[i] - centre);
    }
}

/* Entries beyond 2 are drawn again from further streams of the same element, so that an entry still
 * depends on nothing but its place. */
static void redraw_tails(struct lnstab__stream stream, size_t first, size_t n, double *x) {
    const uint32_t kind = stream.kind;
    for (size_t i = 0; i < n; ++i) {
        for (uint32_t attempt = 1; fabs(x[i]) > 2.0; ++attempt) {
            stream.kind = kind | attempt << 8;
            lnstab__draw_normal(stream, first + i, 1, &x[i]);
        }
    }
}

static void draw(const struct lnstab__init *init, uint64_t seed, size_t first, size_t n,
                 double *out) {
    const struct lnstab__stream stream = {seed, init->kind, init->layer};
    switch (init->distribution) {
    case LNSTAB__CONSTANT:
        for (size_t i = 0; i < n; ++i) {
            out[i] = init->value;
        }
        break;
    case LNSTAB__NORMAL:
        lnstab__draw_normal(stream, first, n, out);
        shift(n, 0.0, init->value, out);
        break;
    case LNSTAB__TRUNCATED:
        lnstab__draw_normal(stream, first, n, out);
        redraw_tails(stream, first, n, out);
        shift(n, 0.0, init->value / sqrt(TRUNCATED_VARIANCE), out);
        break;
    case LNSTAB__UNIFORM:
        lnstab__draw_uniform(stream, first, n, out);
        shift(n, 0.5, 2.0 * sqrt(3.0) * init->value, out);
        break;
    }
}

void lnstab__init_fill(const struct lnstab__init *init, const struct lnstab__kernels *kernels,
                       uint64_t seed, size_t n, void *x) {
    enum { CHUNK = 256 };
    double values[CHUNK];
    for (size_t first = 0; first < n; first += CHUNK) {
        size_t count = n - first < CHUNK ? n - first : CHUNK;
        draw(init, seed, first, count, values);
        kernels->from_double(count, values, lnstab__at(kernels, x, first));
    }
}
