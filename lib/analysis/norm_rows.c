#include "analysis/norm_rows.h"

#include <math.h>
#include <string.h>

#include "base/arena.h"

struct lnstab__norm_spec lnstab__norm_spec_of(const lnstab_config *c) {
    struct lnstab__value values[LNSTAB__KEYS];
    lnstab__config_with_preset(c, values);
    return (struct lnstab__norm_spec){
        .map = {.kind =
                    values[LNSTAB__KEY_NORM].integer == 0 ? LNSTAB__NORM_LAYER : LNSTAB__NORM_RMS,
                .width = (size_t)values[LNSTAB__KEY_WIDTH].integer,
                .eps = values[LNSTAB__KEY_EPS].rule.factor,
                .scale = 1.0},
        .kernels =
            lnstab__kernels_find((int32_t)(LNSTAB_FLOAT32 + values[LNSTAB__KEY_DTYPE].integer))};
}

static lnstab_norm *carve(const struct lnstab__norm_spec *spec, struct lnstab__arena *a) {
    const size_t width = spec->map.width;
    lnstab_norm *n = lnstab__arena_take(a, 1, sizeof *n);
    void *gamma = lnstab__arena_take(a, width, spec->kernels->affine->size);
    void *bias = lnstab__arena_take(a, width, spec->kernels->affine->size);
    double *poles = lnstab__arena_take(a, width, sizeof *poles);
    double *room = lnstab__arena_take(a, 2 * width, sizeof *room);
    if (n) {
        *n = (lnstab_norm){.kernels = spec->kernels,
                           .map = spec->map,
                           .spectrum = {.width = width,
                                        .centred = spec->map.kind == LNSTAB__NORM_LAYER,
                                        .poles = poles},
                           .gamma = gamma,
                           .bias = bias,
                           .room = room};
    }
    return n;
}

size_t lnstab__norm_bytes(const struct lnstab__norm_spec *spec) {
    struct lnstab__arena a = {0};
    carve(spec, &a);
    return a.used;
}

/* Of gammas, or of ones. */
static void prepare_spectrum(lnstab_norm *n, const void *gamma) {
    for (size_t i = 0; i < n->map.width; ++i) {
        n->spectrum.poles[i] = 1.0;
    }
    if (gamma) {
        n->kernels->affine->to_double(n->map.width, gamma, n->spectrum.poles);
    }
    lnstab__norm_spectrum_prepare(&n->spectrum);
}

lnstab_norm *lnstab__norm_lay_out(const struct lnstab__norm_spec *spec, void *block) {
    struct lnstab__arena a = {.base = block};
    lnstab_norm *n = carve(spec, &a);
    prepare_spectrum(n, NULL);
    return n;
}

static int all_one(const struct lnstab__kernels *k, size_t n, const void *x) {
    for (size_t i = 0; i < n; ++i) {
        double value;
        k->to_double(1, lnstab__at_const(k, x, i), &value);
        if (value != 1.0) {
            return 0;
        }
    }
    return 1;
}

void lnstab__norm_affine(lnstab_norm *n, const void *gamma, const void *bias) {
    const struct lnstab__kernels *k = n->kernels->affine;
    const size_t bytes = n->map.width * k->size;
    const int plain = !gamma || all_one(k, n->map.width, gamma);
    n->map.gamma = plain ? NULL : memcpy(n->gamma, gamma, bytes);
    n->map.bias = bias ? memcpy(n->bias, bias, bytes) : NULL;
    prepare_spectrum(n, n->map.gamma);
}

/* What does not depend on gamma, and costs the less for it. */
static struct lnstab__row_jacobian measure(const lnstab_norm *n, const void *row) {
    struct lnstab__norm_map map = n->map;
    struct lnstab__row_jacobian j;
    map.gamma = NULL;
    n->kernels->norm_jacobian(&map, row, &j);
    return j;
}

int lnstab__norm_row_is_finite(const lnstab_norm *n, const void *row) {
    const struct lnstab__row_jacobian j = measure(n, row);
    return isfinite(j.rstd) && isfinite(j.square);
}

void lnstab__norm_row_dense(const lnstab_norm *n, const void *row, double *J) {
    const size_t d = n->map.width;
    const struct lnstab__row_jacobian j = measure(n, row);
    const double mean = n->map.kind == LNSTAB__NORM_LAYER ? 1.0 / (double)d : 0.0;
    const double inverse_norm = j.square > 0 ? 1.0 / sqrt(j.square) : 0.0;
    double *u = n->room, *gamma = n->room + d;
    n->kernels->to_double(d, row, u);
    for (size_t i = 0; i < d; ++i) {
        u[i] = (u[i] - j.mean - j.rest) * (1.0 / j.unit) * inverse_norm;
        gamma[i] = 1.0;
    }
    if (n->map.gamma) {
        n->kernels->affine->to_double(d, n->map.gamma, gamma);
    }
    for (size_t i = 0; i < d; ++i) {
        for (size_t k = 0; k < d; ++k) {
            const double projected = (i == k ? 1.0 - mean : -mean) - j.one_less_k * u[i] * u[k];
            J[i * d + k] = gamma[i] * j.rstd * projected;
        }
    }
}

/* NaN where the row has no norm: 1 - k = ||y||^2/(d s^2) is then infinity over infinity, or 0 over 0. */
struct lnstab__jacobian_norms lnstab__norm_row_jacobian(const lnstab_norm *n, const void *row,
                                                        int wanted) {
    struct lnstab__row_jacobian j;
    n->kernels->norm_jacobian(&n->map, row, &j);
    if (isnan(j.one_less_k) || !isfinite(n->spectrum.unit)) {
        return (struct lnstab__jacobian_norms){j.rstd, NAN, NAN, NAN};
    }
    struct lnstab__jacobian_norms out = {
        .rstd = j.rstd, .frobenius = j.rstd * sqrt(j.projected + j.k * j.k * j.along)};
    if (wanted) {
        n->kernels->to_double(n->map.width, row, n->room);
        const struct lnstab__spectrum_row r =
            lnstab__norm_spectrum_row(&n->spectrum, &j, n->map.eps, n->room);
        const double unit = j.rstd * n->spectrum.unit;
        const int first = wanted & LNSTAB__WANT_SPECTRAL, last = wanted & LNSTAB__WANT_SMALLEST;
        out.spectral = first ? unit * lnstab__norm_singular_value(&n->spectrum, &r, 1) : 0.0;
        out.smallest = last ? unit * lnstab__norm_singular_value(&n->spectrum, &r, r.rank) : 0.0;
    }
    return out;
}
