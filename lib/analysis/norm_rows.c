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
    double *room = lnstab__arena_take(a, 2 * width, sizeof *room);
    if (n) {
        *n = (lnstab_norm){.kernels = spec->kernels,
                           .map = spec->map,
                           .gamma = gamma,
                           .bias = bias,
                           .room = room,
                           .gamma_is_one = 1};
    }
    return n;
}

size_t lnstab__norm_bytes(const struct lnstab__norm_spec *spec) {
    struct lnstab__arena a = {0};
    carve(spec, &a);
    return a.used;
}

lnstab_norm *lnstab__norm_lay_out(const struct lnstab__norm_spec *spec, void *block) {
    struct lnstab__arena a = {.base = block};
    return carve(spec, &a);
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
    n->map.gamma = gamma ? memcpy(n->gamma, gamma, bytes) : NULL;
    n->map.bias = bias ? memcpy(n->bias, bias, bytes) : NULL;
    n->gamma_is_one = !gamma || all_one(n->kernels, n->map.width, n->gamma);
}

/* gamma = 1: the eigenvalues of s J are 1, once k along u, and for LayerNorm once 0 along the ones; an
 * eigenvalue 1 is left from width 3, of RMSNorm from width 2 on. */
static double spectral_norm(const struct lnstab__norm_map *map,
                            const struct lnstab__row_jacobian *row) {
    const size_t taken = map->kind == LNSTAB__NORM_LAYER ? 2 : 1;
    return map->width > taken    ? row->rstd
           : map->width == taken ? row->rstd * (row->along > 0 ? row->k : 1.0)
                                 : 0.0;
}

struct lnstab__jacobian_norms lnstab__norm_row_jacobian(const lnstab_norm *n, const void *row) {
    struct lnstab__row_jacobian j;
    n->kernels->norm_jacobian(&n->map, row, &j);
    return (struct lnstab__jacobian_norms){.rstd = j.rstd,
                                           .spectral = spectral_norm(&n->map, &j),
                                           .frobenius =
                                               j.rstd * sqrt(j.projected + j.k * j.k * j.along)};
}
