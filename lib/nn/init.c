#include "nn/init.h"

#include <math.h>

struct scheme {
    const char *name;
    enum lnstab__distribution distribution;
    double numerator;
    int counts_fan_out;
};

static const struct scheme schemes[] = {
    {"xavier_normal", LNSTAB__NORMAL, 2.0, 1},
    {"xavier_uniform", LNSTAB__UNIFORM, 2.0, 1},
    {"lecun_normal", LNSTAB__NORMAL, 1.0, 0},
};

int lnstab__scheme_count(void) {
    return (int)(sizeof schemes / sizeof *schemes);
}

const char *lnstab__scheme_name(int scheme) {
    return schemes[scheme].name;
}

struct lnstab__init lnstab__scheme_init(int scheme, size_t fan_in, size_t fan_out) {
    const struct scheme *s = &schemes[scheme];
    double fan = (double)fan_in + (s->counts_fan_out ? (double)fan_out : 0.0);
    return (struct lnstab__init){.distribution = s->distribution,
                                 .value = sqrt(s->numerator / fan)};
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
