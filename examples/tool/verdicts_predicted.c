#include "verdicts.h"

#include "agreement.h"
#include "not_finite.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void write_estimate(char text[64], struct estimate e) {
    double half = half_width(e, 0.05);
    if (isfinite(half))
        snprintf(text, 64, "%.3f +-%.3f", e.mean, half);
    else
        snprintf(text, 64, "%.3f", shown(e.mean));
}

static void write_agreement(struct verdict *v, const struct summary *s, const struct agreement *a) {
    if (!a->compared)
        snprintf(v->measured, sizeof v->measured, "-");
    else
        write_estimate(v->measured, a->pooled);
    if (!a->compared)
        snprintf(v->predicted, sizeof v->predicted, "-");
    else
        snprintf(v->predicted, sizeof v->predicted, "%.3f", shown(a->predicted));
    agreement_words(a, s->sweep, v->words, sizeof v->words);
}

static void judge_level(struct verdict *v, const struct summary *s, int placement, enum quantity q,
                        double miss) {
    struct agreement a = agreement_of_level(s, placement, q, miss);
    write_agreement(v, s, &a);
}

void judge_state(struct verdict *v, const struct summary *s, const struct fits *f, int placement,
                 double miss) {
    (void)f;
    judge_level(v, s, placement, STATE_OF_PREDICTED, miss);
}

void judge_ratio(struct verdict *v, const struct summary *s, const struct fits *f, int placement,
                 double miss) {
    (void)f;
    judge_level(v, s, placement, RATIO_OF_PREDICTED, miss);
}

void judge_raw(struct verdict *v, const struct summary *s, const struct fits *f, int placement,
               double miss) {
    (void)f;
    judge_level(v, s, placement, RAW_OF_PREDICTED, miss);
}

static struct agreement judge_slope(struct verdict *v, const struct summary *s,
                                    const struct fits *f, int placement, enum fit_axis axis,
                                    enum quantity q, double miss) {
    struct agreement a = agreement_of_slope(f, placement, axis, q, miss);
    write_agreement(v, s, &a);
    return a;
}

void judge_ratio_depth(struct verdict *v, const struct summary *s, const struct fits *f,
                       int placement, double miss) {
    struct agreement a = judge_slope(v, s, f, placement, ALONG_DEPTH, RATIO, miss);
    size_t used = strlen(v->words);
    if (a.compared && fabs(a.predicted) < 1e-9)
        snprintf(v->words + used, sizeof v->words - used, "; predicted flat");
}

void judge_raw_depth(struct verdict *v, const struct summary *s, const struct fits *f,
                     int placement, double miss) {
    judge_slope(v, s, f, placement, ALONG_DEPTH, RAW, miss);
}

/* The known factor sqrt(1 - k/d) tilts the exponent on a grid off its limit 1/2: it is divided out, from
 * the measured and the predicted, so that 1/2 is what both are held against. */
void judge_ratio_width(struct verdict *v, const struct summary *s, const struct fits *f,
                       int placement, double miss) {
    struct agreement a = agreement_of_slope(f, placement, ALONG_WIDTH, RATIO, miss);
    if (a.compared) {
        a.pooled.mean -= a.predicted - 0.5;
        a.predicted = 0.5;
    }
    write_agreement(v, s, &a);
    size_t used = strlen(v->words);
    if (a.compared && isfinite(a.pooled.mean)) {
        double half = half_width(a.pooled, 0.05);
        if (fabs(a.pooled.mean - 0.5) <= half)
            snprintf(v->words + used, sizeof v->words - used,
                     "; interval of width %.3f contains 1/2", 2 * half);
    }
}

static const char *rate_words(const struct agreement *a, enum fit_axis axis, double miss) {
    if (fabs(a->pooled.mean - a->bound) > half_width(a->pooled, miss) + a->allowance)
        return axis == ALONG_DEPTH ? "does not reproduce: a bound's slope; the limit -1/2 is far"
                                   : "does not reproduce: a bound's rate, not the gradient's";
    return a->decided ? "agrees" : "undecided, use more seeds";
}

/* A bound may grow faster, or fall slower, than what it bounds: then it does not tell the rate. */
static void judge_rate(struct verdict *v, const struct fits *f, int placement, enum fit_axis axis,
                       double miss) {
    struct agreement a = agreement_of_slope(f, placement, axis, RATIO, miss);
    snprintf(v->measured, sizeof v->measured, "-");
    snprintf(v->predicted, sizeof v->predicted, "-");
    if (!a.compared || isnan(a.bound)) {
        snprintf(v->words, sizeof v->words, "not covered");
        return;
    }
    write_estimate(v->measured, a.pooled);
    snprintf(v->predicted, sizeof v->predicted, "%.3f", a.bound);
    if (!a.not_finite)
        snprintf(v->words, sizeof v->words, "%s", rate_words(&a, axis, miss));
    not_finite_words(a.not_finite, a.compared, v->words, sizeof v->words);
}

void judge_rate_depth(struct verdict *v, const struct summary *s, const struct fits *f,
                      int placement, double miss) {
    (void)s;
    judge_rate(v, f, placement, ALONG_DEPTH, miss);
}

void judge_rate_width(struct verdict *v, const struct summary *s, const struct fits *f,
                      int placement, double miss) {
    (void)s;
    judge_rate(v, f, placement, ALONG_WIDTH, miss);
}
