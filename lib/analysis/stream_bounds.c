#include "analysis/stream_bounds.h"

#include <math.h>
#include <string.h>

#include "analysis/norm_facts.h"
#include "math/basis.h"

/* ---- as they are ----
 *
 * What a sublayer makes, with a large bias say, is rounded to u of its size, which can be more than what it
 * varies by: what that explains is no part of a deviation. */

enum { ROUNDINGS = 4 };

/* In units of a state's size; the input is what it is. */
static double doubt_at(const struct lnstab__scene *s, int64_t k) {
    return k == 0 ? 0.0
                  : ROUNDINGS * lnstab__unit_roundoff(s) + (double)(s->rows + s->width) * 0x1p-53;
}

static double beyond(double doubt, double deviation) {
    return deviation < doubt ? 0.0 : deviation - doubt;
}

struct entries {
    double absolute, deviation;
};

static struct entries entries_of(const struct lnstab__scene *s, const void *x, size_t i,
                                 double doubt) {
    const double d = (double)s->width;
    const double size = lnstab__scene_norm(s, x, s->width, i) / sqrt(d);
    struct entries out = {0};
    double mean = 0.0;
    lnstab__scene_row(s, x, s->width, i, s->room);
    for (size_t j = 0; j < s->width; ++j) {
        out.absolute += fabs(s->room[j]) / d;
        mean += s->room[j] / d;
    }
    for (size_t j = 0; j < s->width; ++j) {
        s->room[j] -= mean;
    }
    out.deviation = beyond(doubt * size, lnstab__vector_norm(s->width, s->room) / sqrt(d));
    return out;
}

static double spread_of(const struct lnstab__scene *s, const void *x) {
    double *mean = s->room, *row = s->room + s->width, norm = 0.0;
    memset(mean, 0, s->width * sizeof *mean);
    for (size_t i = 0; i < s->rows; ++i) {
        lnstab__scene_row(s, x, s->width, i, row);
        for (size_t j = 0; j < s->width; ++j) {
            mean[j] += row[j] / (double)s->rows;
        }
    }
    for (size_t i = 0; i < s->rows; ++i) {
        lnstab__scene_row(s, x, s->width, i, row);
        for (size_t j = 0; j < s->width; ++j) {
            row[j] -= mean[j];
        }
        norm = hypot(norm, lnstab__vector_norm(s->width, row));
    }
    return norm / sqrt((double)s->rows * (double)s->width);
}

struct lnstab__stream_bounds lnstab__stream_there(const struct lnstab__scene *s, int64_t k) {
    const void *x = lnstab__scene_stream(s, k)->data;
    const double norm = lnstab__scene_largest(s, x, s->width) / sqrt((double)s->width);
    const double doubt = doubt_at(s, k);
    struct lnstab__stream_bounds out = {.norm = norm,
                                        .spread = beyond(doubt * norm, spread_of(s, x))};
    for (size_t i = 0; i < s->rows; ++i) {
        const struct entries of = entries_of(s, x, i, doubt);
        out.mean = lnstab__larger(out.mean, of.absolute);
        out.deviation = lnstab__larger(out.deviation, of.deviation);
    }
    return out;
}

/* ---- what they are at most ---- */

static struct lnstab__stream_bounds of_norm(const struct lnstab__scene *s,
                                            const struct lnstab__norm_op *norm) {
    const struct lnstab__norm_facts f = lnstab__norm_facts_of(s, norm);
    return (struct lnstab__stream_bounds){f.radius / sqrt((double)s->width), f.mean, f.deviation,
                                          f.gamma};
}

static struct lnstab__stream_bounds of_branch(const struct lnstab__scene *s,
                                              const struct lnstab__sublayer *at, double norm) {
    const double root = sqrt((double)s->width);
    const double r = at->norm_in.kind == LNSTAB__NORM_NONE
                         ? fabs(at->norm_in.scale) * norm * root
                         : lnstab__norm_facts_of(s, &at->norm_in).radius;
    const struct lnstab__branch_bounds b = lnstab__branch_bounds_of(s, at, r);
    const double largest = b.largest / root;
    return (struct lnstab__stream_bounds){largest, largest, largest, b.about / root};
}

/* What comes last in a sublayer, and if it is a norm, decides. */
static const struct lnstab__norm_op *last_of(const struct lnstab__scene *s, int64_t k) {
    return k > 2 * s->spec->layers ? &s->m->norm_final : &lnstab__scene_sublayer(s, k)->norm_res;
}

struct lnstab__stream_bounds lnstab__stream_after(const struct lnstab__scene *s, int64_t k,
                                                  struct lnstab__stream_bounds before) {
    if (last_of(s, k)->kind != LNSTAB__NORM_NONE) {
        return of_norm(s, last_of(s, k));
    }
    if (k > 2 * s->spec->layers) {
        return before;
    }
    const struct lnstab__sublayer *at = lnstab__scene_sublayer(s, k);
    const double alpha = fabs(at->alpha), beta = fabs(at->beta);
    const struct lnstab__stream_bounds none = {0}, step = beta == 0.0 ? none
                                                          : at->norm_out.kind != LNSTAB__NORM_NONE
                                                              ? of_norm(s, &at->norm_out)
                                                              : of_branch(s, at, before.norm);
    return (struct lnstab__stream_bounds){alpha * before.norm + beta * step.norm,
                                          alpha * before.mean + beta * step.mean,
                                          alpha * before.deviation + beta * step.deviation,
                                          alpha * before.spread + beta * step.spread};
}

/* From the last sublayer on that forgets what was before it: norms of weights are dear. */
struct lnstab__stream_bounds lnstab__stream_bound(const struct lnstab__scene *s, int64_t k) {
    struct lnstab__stream_bounds bounds = lnstab__stream_there(s, 0);
    int64_t first = k;
    while (first > 1 && last_of(s, first)->kind == LNSTAB__NORM_NONE) {
        --first;
    }
    for (; first <= k; ++first) {
        bounds = lnstab__stream_after(s, first, bounds);
    }
    return bounds;
}

/* ---- Lipschitz constants ---- */

static double norm_lipschitz(const struct lnstab__scene *s, const struct lnstab__norm_op *norm,
                             const void *x) {
    return norm->kind == LNSTAB__NORM_NONE
               ? fabs(norm->scale)
               : lnstab__norm_facts_of(s, norm).gamma * lnstab__norm_largest_rstd(s, norm, x);
}

double lnstab__sublayer_lipschitz(const struct lnstab__scene *s, int64_t k,
                                  enum lnstab__validity where) {
    if (k > 2 * s->spec->layers) {
        return norm_lipschitz(s, &s->m->norm_final, lnstab__scene_stream(s, k - 1)->data);
    }
    const struct lnstab__sublayer *at = lnstab__scene_sublayer(s, k);
    double sum = fabs(at->alpha);
    if (at->beta != 0.0) {
        sum += fabs(at->beta) * norm_lipschitz(s, &at->norm_out, at->branch.data) *
               lnstab__branch_lipschitz(s, at, where) *
               norm_lipschitz(s, &at->norm_in, at->in.data);
    }
    return sum * norm_lipschitz(s, &at->norm_res, at->sum.data);
}

double lnstab__stream_lipschitz(const struct lnstab__scene *s, int64_t k,
                                enum lnstab__validity where) {
    double product = 1.0;
    for (int64_t i = 1; i <= k; ++i) {
        product *= lnstab__sublayer_lipschitz(s, i, where);
    }
    return product;
}
