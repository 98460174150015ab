#include "verdicts.h"

#include "agreement.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* Least and largest of a value over a placement's cells. */
struct range {
    double least, largest;
};

static const struct range nothing = {INFINITY, -INFINITY};

static void widen(struct range *r, double value) {
    r->least = fmin(r->least, value);
    r->largest = fmax(r->largest, value);
}

static void write_range(char text[64], struct range r) {
    if (r.largest - r.least < 5e-4)
        snprintf(text, 64, "%.3f", r.largest);
    else
        snprintf(text, 64, "%.3f..%.3f", r.least, r.largest);
}

/* The next cell of the placement after i that the predicted value covers, or -1. */
static int next_cell(const struct summary *s, int placement, int i, size_t value) {
    const struct grid *g = s->sweep->setting.grid;
    while (++i < grid_cells(g)) {
        const char *p = (const char *)&s->cells[i].prediction;
        if (grid_cell(g, i).placement == placement &&
            !isnan(*(const double *)(const void *)(p + value)))
            return i;
    }
    return -1;
}

/* With the library's reason, without the name of the claim before it. */
static void not_covered(struct verdict *v, const char *why) {
    const char *colon = strstr(why, ": ");
    snprintf(v->measured, sizeof v->measured, "-");
    snprintf(v->predicted, sizeof v->predicted, "-");
    snprintf(v->words, sizeof v->words, "not covered: %.*s", (int)sizeof v->words - 16,
             colon ? colon + 2 : why);
}

static const struct prediction *any_prediction(const struct summary *s, int placement) {
    return &summary_at(s, (struct cell){.placement = placement})->prediction;
}

/* What the cells say about Lemma 2. */
struct lemma_count {
    int cells, misses, wide, not_finite;
    struct range measured, bounds;
};

/* E Z/d lies in [lower, upper] for every width and for every input of E||x||^2 = d: no allowance. Too
 * wide an interval misses nothing. A norm of one or two entries with eps = 0 may be 0/0. */
static void count_cell(struct lemma_count *n, const struct cell_summary *c, double miss) {
    double half = half_width(c->of[STATE], miss), mean = c->of[STATE].mean;
    n->cells++;
    n->not_finite += !isfinite(mean);
    n->misses += mean + half < c->prediction.lower || mean - half > c->prediction.upper;
    n->wide += half > DECIDING_WIDTH * mean;
    widen(&n->measured, mean);
    widen(&n->bounds, c->prediction.lower);
    widen(&n->bounds, c->prediction.upper);
}

static void lemma_words(struct verdict *v, const struct lemma_count *n) {
    if (n->misses)
        snprintf(v->words, sizeof v->words, "VIOLATED in %d of %d", n->misses, n->cells);
    else if (n->not_finite)
        snprintf(v->words, sizeof v->words, "undecided: not finite in %d of %d", n->not_finite,
                 n->cells);
    else if (2 * n->wide > n->cells)
        snprintf(v->words, sizeof v->words, "undecided, use more seeds");
    else
        snprintf(v->words, sizeof v->words, "holds, all of %d", n->cells);
}

void judge_lemma(struct verdict *v, const struct summary *s, const struct fits *f, int placement,
                 double miss) {
    struct lemma_count n = {.measured = nothing, .bounds = nothing};
    (void)f;
    for (int i = -1; (i = next_cell(s, placement, i, offsetof(struct prediction, lower))) >= 0;)
        count_cell(&n, &s->cells[i], miss);
    if (!n.cells) {
        not_covered(v, any_prediction(s, placement)->lemma_missing);
        return;
    }
    write_range(v->measured, n.measured);
    write_range(v->predicted, n.bounds);
    lemma_words(v, &n);
    v->violated = n.misses > 0;
}

/* The repaired theorem lets a fraction 1 - p of the tokens be above their bound. */
static bool bound_violated(const struct summary *s, int i, double miss) {
    struct fraction above = summary_above_bound(s, grid_cell(s->sweep->setting.grid, i), miss);
    return above.lower > 1 - s->cells[i].bounded.repaired_one;
}

void judge_bound(struct verdict *v, const struct summary *s, const struct fits *f, int placement,
                 double miss) {
    struct range share = nothing;
    int violated = 0;
    (void)f;
    for (int i = -1; (i = next_cell(s, placement, i, offsetof(struct prediction, printed))) >= 0;) {
        widen(&share, s->cells[i].of[TOKEN_OF_PRINTED].mean);
        violated += bound_violated(s, i, miss);
    }
    if (share.largest < share.least) {
        not_covered(v, any_prediction(s, placement)->bound_missing);
        return;
    }
    snprintf(v->measured, sizeof v->measured, "%.4f..%.4f", share.least, share.largest);
    snprintf(v->predicted, sizeof v->predicted, "<= 1");
    v->violated = violated > 0;
    if (violated)
        snprintf(v->words, sizeof v->words, "VIOLATED in %d cells", violated);
    else
        snprintf(v->words, sizeof v->words, "holds, loose by a factor %.0f to %.0f",
                 1 / share.largest, 1 / share.least);
}

void judge_probability(struct verdict *v, const struct summary *s, const struct fits *f,
                       int placement, double miss) {
    struct range delta = nothing, published = nothing, one = nothing, all = nothing;
    (void)f;
    (void)miss;
    for (int i = -1; (i = next_cell(s, placement, i, offsetof(struct prediction, printed))) >= 0;) {
        const struct boundedness *b = &s->cells[i].bounded;
        widen(&delta, b->delta.estimate);
        widen(&published, b->published);
        widen(&one, b->repaired_one);
        widen(&all, b->repaired_all);
    }
    if (one.largest < one.least) {
        not_covered(v, any_prediction(s, placement)->bound_missing);
        return;
    }
    write_range(v->measured, delta);
    write_range(v->predicted, published);
    int used = snprintf(v->words, sizeof v->words, "not proved; repaired %.3f..%.3f", one.least,
                        one.largest);
    if (!(all.largest > 0))
        snprintf(v->words + used, sizeof v->words - (size_t)used, ", void for n tokens");
}
