#include "analysis/velocity.h"

#include <math.h>

#include "analysis/norm_facts.h"

/* In units of the largest entry: squares of costates far down a stack may leave the range. */
static double norm_of(size_t n, const double *x, int centred) {
    double unit = 0.0, mean = 0.0, square = 0.0;
    for (size_t j = 0; j < n; ++j) {
        unit = lnstab__larger(unit, fabs(x[j]));
    }
    if (unit == 0.0) {
        return 0.0;
    }
    for (size_t j = 0; centred && j < n; ++j) {
        mean += x[j] / unit / (double)n;
    }
    for (size_t j = 0; j < n; ++j) {
        square += (x[j] / unit - mean) * (x[j] / unit - mean);
    }
    return unit * sqrt(square);
}

double lnstab__row_norm(const struct lnstab__scene *s, const void *x, size_t i, int centred) {
    lnstab__scene_row(s, x, s->width, i, s->room);
    return norm_of(s->width, s->room, centred);
}

struct lnstab__velocity lnstab__velocity_of(const struct lnstab__scene *s,
                                            const struct lnstab__sublayer *at, size_t i) {
    const struct lnstab__norm_op *norm = &at->norm_out;
    double *p = s->room, *v = s->room + s->width, sizes = 0.0;
    struct lnstab__velocity out = {0};
    lnstab__scene_row(s, at->sum.grad, s->width, i, p);
    lnstab__scene_row(s, at->f_out.data, s->width, i, v);
    for (size_t j = 0; j < s->width; ++j) {
        const double bias = lnstab__scene_entry(s, norm->bias.data, j, 0.0);
        out.along += p[j] * v[j];
        out.bias += p[j] * bias;
        sizes += fabs(p[j]) * (fabs(v[j]) + fabs(bias));
        p[j] *= lnstab__scene_entry(s, norm->gamma.data, j, 1.0);
    }
    out.reach = sqrt((double)s->width) * norm_of(s->width, p, s->spec->norm == LNSTAB__NORM_LAYER);
    out.doubt = (4.0 * lnstab__unit_roundoff(s) + (double)s->width * 0x1p-53) * sizes;
    return out;
}

struct lnstab__velocity lnstab__velocity_sum(const struct lnstab__scene *s,
                                             const struct lnstab__sublayer *at) {
    struct lnstab__velocity all = {0};
    for (size_t i = 0; i < s->rows; ++i) {
        const struct lnstab__velocity one = lnstab__velocity_of(s, at, i);
        all = (struct lnstab__velocity){all.along + one.along, all.bias + one.bias,
                                        all.reach + one.reach, all.doubt + one.doubt};
    }
    return all;
}
