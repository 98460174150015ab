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
        .kernels = lnstab__kernels_find(values[LNSTAB__KEY_DTYPE].integer == 0 ? LNSTAB_FLOAT32
                                                                               : LNSTAB_FLOAT64)};
}

static lnstab_norm *carve(const struct lnstab__norm_spec *spec, struct lnstab__arena *a) {
    const size_t width = spec->map.width;
    lnstab_norm *n = lnstab__arena_take(a, 1, sizeof *n);
    void *gamma = lnstab__arena_take(a, width, spec->kernels->size);
    void *bias = lnstab__arena_take(a, width, spec->kernels->size);
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
        n->kernels->to_double(n->map.width, gamma, n->spectrum.poles);
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
    const size_t bytes = n->map.width * n->kernels->size;
    const int plain = !gamma || all_one(n->kernels, n->map.width, gamma);
    n->map.gamma = plain ? NULL : memcpy(n->gamma, gamma, bytes);
    n->map.bias = bias ? memcpy(n->bias, bias, bytes) : NULL;
    prepare_spectrum(n, n->map.gamma);
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
