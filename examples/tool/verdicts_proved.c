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

static void write_range(char text[64], const char *name, struct range r) {
    if (r.largest - r.least < 5e-4)
        snprintf(text, 64, "%s%.3f", name, r.largest);
    else
        snprintf(text, 64, "%s%.3f..%.3f", name, r.least, r.largest);
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

/* E Z/d lies in [lower, upper] for every width and for every input of E||x||^2 = d: no allowance. */
static bool lemma_misses(const struct cell_summary *c, double miss) {
    double half = half_width(c->of[STATE], miss), mean = c->of[STATE].mean;
    return !(mean + half >= c->prediction.lower && mean - half <= c->prediction.upper);
}

/* Too wide an interval misses nothing. */
static bool lemma_decided(const struct cell_summary *c, double miss) {
    return half_width(c->of[STATE], miss) <= DECIDING_WIDTH * c->of[STATE].mean;
}

void judge_lemma(struct verdict *v, const struct summary *s, const struct fits *f, int placement,
                 double miss) {
    struct range measured = nothing, lemma = nothing;
    int cells = 0, misses = 0, decided = 0;
    (void)f;
    for (int i = -1; (i = next_cell(s, placement, i, offsetof(struct prediction, lower))) >= 0;) {
        const struct cell_summary *c = &s->cells[i];
        cells++;
        misses += lemma_misses(c, miss);
        decided += lemma_decided(c, miss);
        widen(&measured, c->of[STATE].mean);
        widen(&lemma, c->prediction.lower);
        widen(&lemma, c->prediction.upper);
    }
    if (!cells) {
        not_covered(v, any_prediction(s, placement)->lemma_missing);
        return;
    }
    write_range(v->measured, "", measured);
    write_range(v->predicted, "", lemma);
    v->violated = misses > 0;
    if (misses)
        snprintf(v->words, sizeof v->words, "VIOLATED in %d of %d", misses, cells);
    else
        snprintf(v->words, sizeof v->words,
                 2 * decided >= cells ? "holds, all of %d"
                                      : "undecided in most of %d, use more seeds",
                 cells);
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
    write_range(v->measured, "", delta);
    write_range(v->predicted, "", published);
    int used = snprintf(v->words, sizeof v->words, "not proved; repaired %.3f..%.3f", one.least,
                        one.largest);
    if (!(all.largest > 0))
        snprintf(v->words + used, sizeof v->words - (size_t)used, ", void for n tokens");
}
