#include <math.h>
#include <string.h>

#include "analysis/assumptions.h"
#include "analysis/claims.h"
#include "analysis/norm_facts.h"
#include "analysis/stream_bounds.h"
#include "nn/init.h"

/* The halves of a batch are samples of two distributions of sequences, in R^(T d): theory.md, Transport. */

typedef const struct lnstab__scene *scene_t;
typedef const struct lnstab__claim_arguments *arguments_t;

/* sqrt of the mean over pairs of ||X_b - X_(b + B/2)||^2, at position k. */
static double paired_distance(scene_t s, int64_t k) {
    const void *x = lnstab__scene_stream(s, k)->data;
    double *one = s->room, *other = s->room + s->width, square = 0.0;
    for (size_t i = 0; i < s->rows / 2; ++i) {
        lnstab__scene_row(s, x, s->width, i, one);
        lnstab__scene_row(s, x, s->width, i + s->rows / 2, other);
        for (size_t j = 0; j < s->width; ++j) {
            square += (one[j] - other[j]) * (one[j] - other[j]);
        }
    }
    return sqrt(square / ((double)s->batch / 2.0));
}

/* Shell's sort, by n/2, n/4, ..., 1. */
static void sort(size_t n, double *x) {
    for (size_t gap = n / 2; gap > 0; gap /= 2) {
        for (size_t i = gap; i < n; ++i) {
            const double value = x[i];
            size_t j = i;
            for (; j >= gap && x[j - gap] > value; j -= gap) {
                x[j] = x[j - gap];
            }
            x[j] = value;
        }
    }
}

/* <X_b, u> in along[batch], u the host's normal numbers of seed 0 and a stream; returns ||u||. */
static double project(scene_t s, const void *x, uint32_t stream, double *along) {
    double *row = s->room, *u = s->room + s->width, square = 0.0;
    memset(along, 0, s->batch * sizeof *along);
    for (size_t t = 0; t < s->tokens; ++t) {
        lnstab__draw_normal((struct lnstab__stream){0, LNSTAB__KIND_HOST, stream}, t * s->width,
                            s->width, u);
        for (size_t j = 0; j < s->width; ++j) {
            square += u[j] * u[j];
        }
        for (size_t b = 0; b < s->batch; ++b) {
            lnstab__scene_row(s, x, s->width, b * s->tokens + t, row);
            for (size_t j = 0; j < s->width; ++j) {
                along[b] += row[j] * u[j];
            }
        }
    }
    return sqrt(square);
}

/* W_2 of the projections' two samples: sorted, they are paired as well as they can be. */
static double projected_distance(scene_t s, const void *x, uint32_t stream, double *along) {
    const double length = project(s, x, stream, along);
    const size_t half = s->batch / 2;
    double square = 0.0;
    sort(half, along);
    sort(half, along + half);
    for (size_t b = 0; b < half; ++b) {
        square += (along[b] - along[b + half]) * (along[b] - along[b + half]);
    }
    return sqrt(square / (double)half) / length;
}

static double stated(scene_t s, arguments_t a) {
    return lnstab__stream_lipschitz(s, (int64_t)a->sublayer, LNSTAB__IN_THE_BALL) *
           paired_distance(s, 0);
}

static double paired_there(scene_t s, arguments_t a) {
    return paired_distance(s, (int64_t)a->sublayer);
}

/* The projections go where Lanczos vectors are, which have B T d entries. */
static double sliced_there(scene_t s, arguments_t a) {
    const void *x = lnstab__scene_stream(s, (int64_t)a->sublayer)->data;
    double most = 0.0;
    for (uint32_t i = 0; i < 16; ++i) {
        most = lnstab__larger(most, projected_distance(s, x, i, s->m->krylov.lanczos.v));
    }
    return most;
}

#define ROW(name, formula, measure)                                                                \
    {                                                                                              \
        name, "derived", "sublayer",                                                               \
            "gated=0 qk_norm=none; any weights, inputs, gamma, bias, eps", LNSTAB__INEQUALITY,     \
            "<=", formula, lnstab__breaks_lipschitz, NULL, stated, measure, LNSTAB__PAIRED_SAMPLES \
    }

static const struct lnstab__claim rows[] = {
    ROW("transport.paired",
        "sqrt of the mean of ||X_b - X_(b + B/2)||^2 after sublayer k <= Lip times that at "
        "embed.out, Lip the product over sublayers of g_res (|alpha| + |beta| g_out Lip(F) g_in)",
        paired_there),
    ROW("transport.sliced",
        "the largest W_2 of the halves' projections on 16 directions after sublayer k <= the same",
        sliced_there),
};

const struct lnstab__claim_list lnstab__transport_claims = {rows, sizeof rows / sizeof *rows};
