#include "analysis/lemma_measures.h"

#include "analysis/norm_spectrum.h"
#include "math/basis.h"

typedef const struct lnstab__scene *scene_t;
typedef const struct lnstab__claim_arguments *arguments_t;

double lnstab__measure_hidden(scene_t s, arguments_t a) {
    const size_t width = (size_t)s->spec->ffn_width;
    const void *h = lnstab__scene_sublayer(s, 2 * (int64_t)a->layer)->of.ffn.hidden.data;
    return lnstab__scene_total(s, h, width) / (double)s->rows / (double)width;
}

/* ||J||_2 of a norm's rows, the largest: in units of max|gamma|/s, and of sqrt d/||x||. */
struct jacobian {
    double exact, printed;
};

/* Row i in units, room: its width doubles. */
static struct jacobian of_row(scene_t s, const struct lnstab__norm_map *map,
                              const struct lnstab__norm_spectrum *g, const void *x, size_t i,
                              double *room) {
    struct lnstab__row_jacobian j;
    double square = 0.0;
    s->kernels->norm_jacobian(map, lnstab__at_const(s->kernels, x, i * s->width), &j);
    if (isnan(j.one_less_k) || !isfinite(g->unit)) {
        return (struct jacobian){NAN, NAN};
    }
    lnstab__scene_row(s, x, s->width, i, room);
    for (size_t e = 0; e < s->width; ++e) {
        square += room[e] * room[e];
    }
    const struct lnstab__spectrum_row row = lnstab__norm_spectrum_row(g, &j, map->eps, room);
    const double value = lnstab__norm_singular_value(g, &row, 1);
    return (struct jacobian){value, value * g->unit * j.rstd * sqrt(square / (double)s->width)};
}

static struct jacobian larger(struct jacobian a, struct jacobian b) {
    return (struct jacobian){lnstab__larger(a.exact, b.exact),
                             lnstab__larger(a.printed, b.printed)};
}

static struct jacobian of_norm(scene_t s, const struct lnstab__norm_op *n, const void *x) {
    const struct lnstab__norm_map map = {
        .kind = n->kind, .width = s->width, .eps = n->eps, .scale = 1.0, .gamma = n->gamma.data};
    struct lnstab__norm_spectrum g = {
        .width = s->width, .centred = n->kind == LNSTAB__NORM_LAYER, .poles = s->room};
    struct jacobian most = {0.0, 0.0};
    if (n->kind == LNSTAB__NORM_NONE) {
        return most;
    }
    lnstab__scene_row(s, n->gamma.data, s->width, 0, g.poles);
    lnstab__norm_spectrum_prepare(&g);
    for (size_t i = 0; i < s->rows; ++i) {
        most = larger(most, of_row(s, &map, &g, x, i, s->room + s->width));
    }
    return most;
}

static struct jacobian of_sublayer(scene_t s, arguments_t a) {
    const int64_t k = (int64_t)a->sublayer;
    if (k > 2 * s->spec->layers) {
        return of_norm(s, &s->m->norm_final, lnstab__scene_stream(s, k - 1)->data);
    }
    const struct lnstab__sublayer *at = lnstab__scene_sublayer(s, k);
    return larger(of_norm(s, &at->norm_in, at->in.data),
                  larger(of_norm(s, &at->norm_out, at->branch.data),
                         of_norm(s, &at->norm_res, at->sum.data)));
}

double lnstab__measure_norm_exact(scene_t s, arguments_t a) {
    return of_sublayer(s, a).exact;
}

double lnstab__measure_norm_printed(scene_t s, arguments_t a) {
    return of_sublayer(s, a).printed;
}

/* y = x (I - a^T a). y may be x. */
static void project(size_t n, const double *a, const double *x, double *y) {
    double along = 0.0;
    for (size_t j = 0; j < n; ++j) {
        along += a[j] * x[j];
    }
    for (size_t j = 0; j < n; ++j) {
        y[j] = x[j] - along * a[j];
    }
}

/* Power iteration, from the coordinate that a has least of. The map is its own square: one step. */
static double projection_norm(size_t n, double *a, double *x) {
    const double norm = lnstab__vector_norm(n, a);
    size_t least = 0;
    for (size_t j = 0; j < n; ++j) {
        a[j] /= norm;
        least = fabs(a[j]) < fabs(a[least]) ? j : least;
        x[j] = 0.0;
    }
    x[least] = 1.0;
    project(n, a, x, x);
    const double before = lnstab__vector_norm(n, x);
    project(n, a, x, x);
    return lnstab__vector_norm(n, x) / before;
}

double lnstab__measure_projection(scene_t s, arguments_t a) {
    const void *x = lnstab__scene_stream(s, (int64_t)a->sublayer)->data;
    double most = 0.0;
    for (size_t i = 0; i < s->rows; ++i) {
        lnstab__scene_row(s, x, s->width, i, s->room);
        most = lnstab__larger(most, projection_norm(s->width, s->room, s->room + s->width));
    }
    return most;
}

static double share_above_mean(scene_t s, double factor) {
    const void *x = lnstab__scene_sublayer(s, 2 * s->spec->layers)->sum.data;
    return lnstab__scene_share_above(
        s, x, factor * lnstab__scene_total(s, x, s->width) / (double)s->rows);
}

double lnstab__markov_doubt(scene_t s) {
    return (double)(s->rows + s->width) * 0x1p-52;
}

double lnstab__measure_markov(scene_t s, arguments_t a) {
    return 1.0 - share_above_mean(s, a->level * (1.0 - lnstab__markov_doubt(s)));
}

double lnstab__measure_input_tail(scene_t s, arguments_t a) {
    return lnstab__scene_share_above(s, s->m->embed_out.data,
                                     (1.0 + a->epsilon) * (double)s->width);
}

double lnstab__measure_reported_tail(scene_t s, arguments_t a) {
    (void)a;
    return share_above_mean(s, 1.1);
}
