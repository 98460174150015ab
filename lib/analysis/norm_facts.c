#include "analysis/norm_facts.h"

#include <math.h>

double lnstab__scene_entry(const struct lnstab__scene *s, const void *x, size_t i, double absent) {
    double value = absent;
    if (x) {
        s->kernels->to_double(1, lnstab__at_const(s->kernels, x, i), &value);
    }
    return value;
}

struct sums {
    double largest, absolute, square, deviation;
};

/* Of n numbers; deviation: their standard deviation. */
static struct sums sums_of(size_t n, const double *x) {
    struct sums out = {0};
    double mean = 0.0, about = 0.0;
    for (size_t i = 0; i < n; ++i) {
        out.largest = lnstab__larger(out.largest, fabs(x[i]));
        out.absolute += fabs(x[i]);
        out.square += x[i] * x[i];
        mean += x[i] / (double)n;
    }
    for (size_t i = 0; i < n; ++i) {
        about += (x[i] - mean) * (x[i] - mean);
    }
    out.deviation = sqrt(about / (double)n);
    return out;
}

static struct sums sums_of_bias(const struct lnstab__scene *s, const struct lnstab__norm_op *norm) {
    if (!norm->bias.data) {
        return (struct sums){0};
    }
    lnstab__scene_row(s, norm->bias.data, norm->width, 0, s->room);
    return sums_of(norm->width, s->room);
}

struct lnstab__norm_facts lnstab__norm_facts_of(const struct lnstab__scene *s,
                                                const struct lnstab__norm_op *norm) {
    const double d = (double)norm->width, scale = fabs(norm->scale);
    const struct sums bias = sums_of_bias(s, norm);
    lnstab__scene_row(s, norm->gamma.data, norm->width, 0, s->room);
    const struct sums gamma = sums_of(norm->width, s->room);
    return (struct lnstab__norm_facts){.gamma = scale * gamma.largest,
                                       .radius =
                                           scale * (sqrt(d) * gamma.largest + sqrt(bias.square)),
                                       .mean = scale * (sqrt(gamma.square / d) + bias.absolute / d),
                                       .deviation = scale * (gamma.largest + bias.deviation)};
}

double lnstab__norm_largest_rstd(const struct lnstab__scene *s, const struct lnstab__norm_op *norm,
                                 const void *x) {
    const struct lnstab__norm_map map = {
        .kind = norm->kind, .width = norm->width, .eps = norm->eps, .scale = 1.0};
    double most = 0.0;
    for (size_t i = 0; i < s->rows; ++i) {
        struct lnstab__row_jacobian row;
        s->kernels->norm_jacobian(&map, lnstab__at_const(s->kernels, x, i * norm->width), &row);
        most = lnstab__larger(most, row.rstd);
    }
    return most;
}

int lnstab__norms_of_sublayer(const struct lnstab__scene *s, int64_t k,
                              struct lnstab__placed_norm out[3]) {
    const int is_final = k > 2 * s->spec->layers;
    const struct lnstab__sublayer *at = lnstab__scene_sublayer(s, is_final ? 1 : k);
    const struct lnstab__placed_norm all[] = {
        {&s->m->norm_final, lnstab__scene_stream(s, k - 1)->data, s->m->output.data},
        {&at->norm_in, at->in.data, at->f_in.data},
        {&at->norm_out, at->branch.data, at->f_out.data},
        {&at->norm_res, at->sum.data, at->out.data}};
    int count = 0;
    for (int i = is_final ? 0 : 1; i < (is_final ? 1 : 4); ++i) {
        if (all[i].norm->kind != LNSTAB__NORM_NONE) {
            out[count++] = all[i];
        }
    }
    return count;
}
