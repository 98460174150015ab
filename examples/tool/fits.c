#include "fits.h"

#include "allowance.h"

#include <math.h>
#include <stdlib.h>

static const struct {
    enum fit_axis axis;
    enum quantity quantity;
} kinds[] = {{ALONG_DEPTH, RATIO}, {ALONG_DEPTH, RAW}, {ALONG_WIDTH, RATIO}, {ALONG_WIDTH, RAW}};

#define KINDS (int)(sizeof kinds / sizeof kinds[0])

static int points(const struct grid *g, enum fit_axis axis) {
    return axis == ALONG_DEPTH ? g->depths : g->widths;
}

/* The cell at the given point of the fit's axis. */
static struct cell cell_on(const struct fit *f, int point) {
    struct cell at = f->at;
    *(f->axis == ALONG_DEPTH ? &at.depth : &at.width) = point;
    return at;
}

/* The logarithms of the axis's values; returns their number. */
static int abscissas(const struct grid *g, enum fit_axis axis, double x[GRID_AXIS_MAX]) {
    const int64_t *values = axis == ALONG_DEPTH ? g->depth : g->width;
    for (int i = 0; i < points(g, axis); i++)
        x[i] = log((double)values[i]);
    return points(g, axis);
}

static double predicted_value(const struct summary *s, const struct fit *f, struct cell at,
                              int seed) {
    const struct prediction *p = &summary_at(s, at)->prediction;
    if (f->quantity == RATIO)
        return p->ratio;
    return predicted_raw(p, &s->sweep->runs[sweep_place(s->sweep, at, seed)],
                         s->sweep->setting.tokens);
}

/* Slopes of one seed. */
static void seed_slopes(const struct summary *s, const struct fit *f, int seed, double *measured,
                        double *predicted) {
    double x[GRID_AXIS_MAX], y[GRID_AXIS_MAX], z[GRID_AXIS_MAX];
    int n = abscissas(s->sweep->setting.grid, f->axis, x);
    for (int i = 0; i < n; i++) {
        struct cell at = cell_on(f, i);
        y[i] = log(summary_value(s, at, seed, f->quantity));
        z[i] = log(predicted_value(s, f, at, seed));
    }
    *measured = slope_of(x, y, n);
    *predicted = slope_of(x, z, n);
}

static bool is_covered(const struct summary *s, const struct fit *f) {
    for (int i = 0; i < points(s->sweep->setting.grid, f->axis); i++)
        if (isnan(summary_at(s, cell_on(f, i))->prediction.ratio))
            return false;
    return true;
}

static double bound_slope(const struct summary *s, const struct fit *f) {
    double x[GRID_AXIS_MAX], y[GRID_AXIS_MAX];
    int n = abscissas(s->sweep->setting.grid, f->axis, x);
    for (int i = 0; i < n; i++)
        y[i] = log(summary_at(s, cell_on(f, i))->prediction.printed);
    return slope_of(x, y, n);
}

/* How far departures of at most the allowance can tilt a slope. Along the depth the width, and so the
 * size, is one, but the sign may differ from point to point; along the width the departure is c/d with
 * one c. */
static double slope_allowance(const struct grid *g, const struct fit *f) {
    double x[GRID_AXIS_MAX], y[GRID_AXIS_MAX], sum = 0;
    int n = abscissas(g, f->axis, x);
    if (f->axis == ALONG_WIDTH) {
        for (int i = 0; i < n; i++)
            y[i] = allowance(g->width[i]);
        return fabs(slope_of(x, y, n));
    }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++)
            y[j] = j == i ? allowance(g->width[f->at.width]) : 0;
        sum += fabs(slope_of(x, y, n));
    }
    return sum;
}

/* Sums over the fits that are pooled, seed by seed. */
struct pool {
    double *measured, *predicted; /* [seeds] */
    double bound, allowance;
    int fits;
};

static void finish(struct fit *f, struct pool *pool, int seeds) {
    for (int i = 0; i < seeds; i++) {
        pool->measured[i] /= pool->fits;
        pool->predicted[i] /= pool->fits;
    }
    f->measured = estimate_of(pool->measured, seeds);
    f->predicted = estimate_of(pool->predicted, seeds).mean;
    for (int i = 0; i < seeds; i++)
        pool->measured[i] -= pool->predicted[i];
    f->excess = estimate_of(pool->measured, seeds);
    f->bound = pool->bound / pool->fits;
    f->allowance = pool->allowance / pool->fits;
}

static void add(struct pool *pool, const struct summary *s, const struct fit *f) {
    for (int seed = 0; seed < s->sweep->seeds; seed++) {
        double measured, predicted;
        seed_slopes(s, f, seed, &measured, &predicted);
        pool->measured[seed] += measured;
        pool->predicted[seed] += predicted;
    }
    pool->bound += bound_slope(s, f);
    pool->allowance += slope_allowance(s->sweep->setting.grid, f);
    pool->fits++;
}

static void clear(struct pool *pool, int seeds) {
    pool->bound = pool->allowance = 0;
    pool->fits = 0;
    for (int i = 0; i < seeds; i++)
        pool->measured[i] = pool->predicted[i] = 0;
}

/* The fits of one kind and placement into out, and their mean as one more at the end. */
static int fit_placement(const struct summary *s, struct fit kind, struct pool *each,
                         struct pool *all, struct fit *out, struct fit *pooled) {
    const struct grid *g = s->sweep->setting.grid;
    int others = points(g, kind.axis == ALONG_DEPTH ? ALONG_WIDTH : ALONG_DEPTH),
        seeds = s->sweep->seeds;
    int count = 0;
    clear(all, seeds);
    for (int r = 0; r < g->ratios; r++)
        for (int other = 0; other < others; other++) {
            struct fit f = kind;
            f.at.ratio = r;
            *(kind.axis == ALONG_DEPTH ? &f.at.width : &f.at.depth) = other;
            clear(each, seeds);
            f.covered = is_covered(s, &f);
            add(each, s, &f);
            if (f.covered)
                add(all, s, &f);
            finish(&f, each, seeds);
            out[count++] = f;
        }
    *pooled = kind;
    pooled->covered = all->fits > 0;
    finish(pooled, all, seeds);
    return count;
}

static void fit_all(struct fits *out, const struct summary *s, struct pool *each,
                    struct pool *all) {
    const struct grid *g = s->sweep->setting.grid;
    for (int k = 0; k < KINDS; k++)
        for (int p = 0; p < g->placements && points(g, kinds[k].axis) > 1; p++) {
            struct fit kind = {.axis = kinds[k].axis, .quantity = kinds[k].quantity};
            kind.at.placement = p;
            out->count += fit_placement(s, kind, each, all, &out->fit[out->count],
                                        &out->pooled[out->pooled_count]);
            out->pooled_count++;
        }
}

bool fits_make(struct fits *out, const struct summary *s) {
    const struct grid *g = s->sweep->setting.grid;
    size_t seeds = (size_t)s->sweep->seeds;
    double *room = calloc(4 * seeds, sizeof *room);
    *out = (struct fits){0};
    out->fit = calloc((size_t)(KINDS * grid_cells(g)), sizeof *out->fit);
    out->pooled = calloc((size_t)(KINDS * g->placements), sizeof *out->pooled);
    bool good = room && out->fit && out->pooled;
    if (good) {
        struct pool each = {.measured = room, .predicted = room + seeds};
        struct pool all = {.measured = room + 2 * seeds, .predicted = room + 3 * seeds};
        fit_all(out, s, &each, &all);
    } else {
        usage_error("no memory for the fits");
    }
    free(room);
    return good;
}

void fits_free(struct fits *f) {
    free(f->fit);
    free(f->pooled);
}
