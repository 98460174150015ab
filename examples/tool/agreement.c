#include "agreement.h"

#include "allowance.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool outside(double departure, double half, double allowed) {
    return fabs(departure) > half + allowed;
}

static void compare(struct agreement *a, struct cell at, double departure, double half,
                    double allowed) {
    a->compared++;
    if (!isfinite(departure)) {
        a->not_finite++;
        return;
    }
    a->outside += outside(departure, half, allowed);
    if (fabs(departure) >= a->worst) {
        a->worst = fabs(departure);
        a->worst_at = at;
    }
}

static bool has_prediction(const struct prediction *p, enum quantity quantity) {
    return !isnan(quantity == STATE_OF_PREDICTED ? p->state : p->ratio);
}

/* The mean over the placement's cells, seed by seed, and its allowance. */
static double pool(const struct summary *s, int placement, enum quantity quantity, double *values) {
    const struct sweep *sweep = s->sweep;
    int cells = 0;
    double allowed = 0;
    for (int i = 0; i < grid_cells(sweep->setting.grid); i++) {
        struct cell at = grid_cell(sweep->setting.grid, i);
        if (at.placement != placement || !has_prediction(&s->cells[i].prediction, quantity))
            continue;
        cells++;
        allowed += allowance(sweep->setting.grid->width[at.width]);
        for (int seed = 0; seed < sweep->seeds; seed++)
            values[seed] += summary_value(s, at, seed, quantity);
    }
    for (int seed = 0; cells && seed < sweep->seeds; seed++)
        values[seed] /= cells;
    return cells ? allowed / cells : 0;
}

static void judge_pooled(struct agreement *a, double departure, double half, double allowed) {
    a->allowance = allowed;
    a->pooled_outside = outside(departure, half, allowed);
    a->decided = half <= DECIDING_WIDTH;
}

struct agreement agreement_of_level(const struct summary *s, int placement, enum quantity quantity,
                                    double miss) {
    const struct grid *g = s->sweep->setting.grid;
    struct agreement a = {.predicted = 1, .bound = NAN};
    double *values = calloc((size_t)s->sweep->seeds, sizeof *values);
    for (int i = 0; values && i < grid_cells(g); i++) {
        struct cell at = grid_cell(g, i);
        struct estimate e = s->cells[i].of[quantity];
        if (at.placement == placement && has_prediction(&s->cells[i].prediction, quantity))
            compare(&a, at, e.mean - 1, half_width(e, miss), allowance(g->width[at.width]));
    }
    if (a.compared) {
        double allowed = pool(s, placement, quantity, values);
        a.pooled = estimate_of(values, s->sweep->seeds);
        judge_pooled(&a, a.pooled.mean - 1, half_width(a.pooled, miss), allowed);
    }
    free(values);
    return a;
}

static bool same_kind(const struct fit *f, int placement, enum fit_axis axis,
                      enum quantity quantity) {
    return f->at.placement == placement && f->axis == axis && f->quantity == quantity && f->covered;
}

struct agreement agreement_of_slope(const struct fits *f, int placement, enum fit_axis axis,
                                    enum quantity quantity, double miss) {
    struct agreement a = {.predicted = NAN, .bound = NAN};
    for (int i = 0; i < f->count; i++) {
        const struct fit *one = &f->fit[i];
        if (same_kind(one, placement, axis, quantity))
            compare(&a, one->at, one->excess.mean, half_width(one->excess, miss), one->allowance);
    }
    for (int i = 0; i < f->pooled_count; i++) {
        const struct fit *one = &f->pooled[i];
        if (!same_kind(one, placement, axis, quantity))
            continue;
        a.pooled = one->measured;
        a.predicted = one->predicted;
        a.bound = one->bound;
        judge_pooled(&a, one->excess.mean, half_width(one->excess, miss), one->allowance);
    }
    return a;
}

void not_finite_words(int count, int all, char *words, size_t size) {
    size_t used = strlen(words);
    if (count)
        snprintf(words + used, size - used, "%snot finite in %d of %d",
                 used ? "; " : "undecided: ", count, all);
}

/* Each cell within its widened interval is what "agrees" says; a mean that its own 95 % interval does not
 * take back to the prediction is told beside it. */
static void finite_words(const struct agreement *a, bool is_text, char *words, size_t size) {
    double off = a->pooled.mean - a->predicted;
    if (!a->decided)
        snprintf(words, size, "undecided, use more seeds");
    else if (fabs(off) > half_width(a->pooled, 0.05))
        snprintf(words, size,
                 is_text ? "no cell of %d is moved; repetition moves the mean by %+.3f"
                         : "agrees, all of %d; mean off by %+.3f",
                 a->compared, off);
    else
        snprintf(words, size, "agrees, all of %d", a->compared);
}

void agreement_words(const struct agreement *a, const struct sweep *s, char *words, size_t size) {
    const struct grid *g = s->setting.grid;
    int64_t d = g->width[a->worst_at.width], depth = g->depth[a->worst_at.depth];
    bool differs = a->outside || a->pooled_outside;
    *words = '\0';
    if (!a->compared)
        snprintf(words, size, "not covered");
    else if (differs && s->text)
        snprintf(words, size, "repetition moves %d of %d, by up to %.2g", a->outside, a->compared,
                 a->worst);
    else if (differs)
        snprintf(words, size, "differs, %d of %d, by up to %.2g (d=%" PRId64 ", L=%" PRId64 ")",
                 a->outside, a->compared, a->worst, d, depth);
    else if (!a->not_finite)
        finite_words(a, s->text != NULL, words, size);
    not_finite_words(a->not_finite, a->compared, words, size);
}
