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
    if (r.largest < r.least)
        snprintf(text, 64, "nan");
    else if (r.largest - r.least < 5e-4)
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
    else if (!n->not_finite && 2 * n->wide > n->cells)
        snprintf(v->words, sizeof v->words, "undecided, use more seeds");
    else if (!n->not_finite)
        snprintf(v->words, sizeof v->words, "holds, all of %d", n->cells);
    not_finite_words(n->not_finite, n->cells, v->words, sizeof v->words);
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

/* What the cells say about Theorem 1. */
struct bound_count {
    int cells, violated, not_finite;
    struct range share;
};

static void bound_words(struct verdict *v, const struct bound_count *n) {
    if (n->violated)
        snprintf(v->words, sizeof v->words, "VIOLATED in %d cells", n->violated);
    else if (!n->not_finite)
        snprintf(v->words, sizeof v->words, "holds, loose by a factor %.0f to %.0f",
                 1 / n->share.largest, 1 / n->share.least);
    not_finite_words(n->not_finite, n->cells, v->words, sizeof v->words);
}

void judge_bound(struct verdict *v, const struct summary *s, const struct fits *f, int placement,
                 double miss) {
    struct bound_count n = {.share = nothing};
    (void)f;
    for (int i = -1; (i = next_cell(s, placement, i, offsetof(struct prediction, printed))) >= 0;) {
        double share = s->cells[i].of[TOKEN_OF_PRINTED].mean;
        n.cells++;
        n.not_finite += !isfinite(share);
        n.violated += bound_violated(s, i, miss);
        widen(&n.share, share);
    }
    if (!n.cells) {
        not_covered(v, any_prediction(s, placement)->bound_missing);
        return;
    }
    if (n.share.largest < n.share.least)
        snprintf(v->measured, sizeof v->measured, "nan");
    else
        snprintf(v->measured, sizeof v->measured, "%.4f..%.4f", n.share.least, n.share.largest);
    snprintf(v->predicted, sizeof v->predicted, "<= 1");
    v->violated = n.violated > 0;
    bound_words(v, &n);
}

/* What the cells say about Theorem 1's probability. */
struct probability_count {
    int cells, not_finite;
    struct range delta, published, one, all;
};

static void count_probability(struct probability_count *n, const struct boundedness *b) {
    n->cells++;
    n->not_finite += !isfinite(b->delta.estimate);
    widen(&n->delta, b->delta.estimate);
    widen(&n->published, b->published);
    widen(&n->one, b->repaired_one);
    widen(&n->all, b->repaired_all);
}

static void probability_words(struct verdict *v, const struct probability_count *n) {
    bool some = n->one.least <= n->one.largest;
    if (some)
        snprintf(v->words, sizeof v->words, "not proved; repaired %.3f..%.3f%s", n->one.least,
                 n->one.largest, n->all.largest > 0 ? "" : ", void for n tokens");
    not_finite_words(n->not_finite, n->cells, v->words, sizeof v->words);
}

void judge_probability(struct verdict *v, const struct summary *s, const struct fits *f,
                       int placement, double miss) {
    struct probability_count n = {0, 0, nothing, nothing, nothing, nothing};
    (void)f;
    (void)miss;
    for (int i = -1; (i = next_cell(s, placement, i, offsetof(struct prediction, printed))) >= 0;)
        count_probability(&n, &s->cells[i].bounded);
    if (!n.cells) {
        not_covered(v, any_prediction(s, placement)->bound_missing);
        return;
    }
    write_range(v->measured, n.delta);
    write_range(v->predicted, n.published);
    probability_words(v, &n);
}
