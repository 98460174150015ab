/* What was measured against what is stated. */
#include "study_agreement.h"
#include "verify.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What rounding in float64 may add to what holds of every model. */
#define ROUNDING 1e-9
/* To an interval that is wider, of the stated value, and not where it should be, nothing is decided. */
#define DECIDING_INTERVAL 0.25

/* From fewer seeds Student's interval is that of numbers which are more like Gaussian ones than few hidden units
 * make them. */
#define DECIDING_SEEDS 8

/* measured about its mean, and stated, with what may be between them besides, in units of stated. */
struct comparison {
    double measured, low, high, stated, unit, below, above;
    bool decides; /* where it is out */
};

/* The runs of a variant in one cell. */
struct runs {
    const struct verify *v;
    int variant, cell, first, count;
    double quantile, miss; /* of Student's t, and of an interval */
    double *values;        /* [count], scratch                   */
};

static const struct side *side_of(const struct runs *r, int run, size_t side) {
    return &verify_sides(r->v, r->first + run, r->cell)->side[side];
}

/* Is the claim about that place in every run? Where a model is finite and measured is NaN, as the cosine of a
 * token with others if there are none, nothing is there to be measured. */
static bool is_stated(const struct runs *r, size_t side) {
    for (int i = 0; i < r->count; i++) {
        const struct side *s = side_of(r, i, side);
        if (isnan(s->stated) ||
            (isnan(s->measured) && verify_sides(r->v, r->first + i, r->cell)->finite))
            return false;
    }
    return r->count > 0;
}

/* What finite width may add (doc/theory.md, section 12): the constants of the states are those of claims
 * that need no costates. */
static void allow(const struct claim *c, const struct runs *r, struct comparison *out) {
    struct cell at = grid_cell(&r->v->grid, r->cell);
    struct study s = {.width = r->v->grid.width[at.width], .layers = r->v->grid.depth[at.depth]};
    enum profile_quantity like = c->is_cosine                 ? PROFILE_COSINE
                                 : claim_needs(c, "costates") ? PROFILE_W_2
                                                              : PROFILE_STATE;
    struct study_allowance allowed = study_allow(&s, like);
    out->below = allowed.below;
    out->above = allowed.above;
}

/* Both sides may differ from seed to seed: the interval is of what is between them. */
static struct comparison compare_means(const struct claim *c, const struct runs *r, size_t side) {
    double measured = 0, stated = 0;
    for (int i = 0; i < r->count; i++) {
        struct side s = *side_of(r, i, side);
        double power = c->is_root ? 2 : 1;
        measured += pow(s.measured, power) / r->count;
        stated += pow(s.stated, power) / r->count;
        r->values[i] = pow(s.measured, power) - pow(s.stated, power);
    }
    struct estimate e = estimate_of(r->values, r->count);
    double half = e.error * r->quantile;
    if (c->is_root) {
        measured = sqrt(measured);
        stated = sqrt(stated);
        half = half > 0 ? half / (measured + stated) : half;
    }
    return (struct comparison){measured, measured - half, measured + half, stated, 1, 0, 0, true};
}

static struct comparison compare_shares(const struct runs *r, size_t side) {
    struct comparison out = compare_means(&(struct claim){.is_root = false}, r, side);
    if (isfinite(out.measured))
        clopper_pearson(out.measured * r->count, r->count, r->miss, &out.low, &out.high);
    return out;
}

static struct comparison compare_model(const struct runs *r, size_t side) {
    struct side s = *side_of(r, 0, side);
    return (struct comparison){s.measured, s.measured, s.measured, s.stated, 1, 0, 0, true};
}

static struct comparison compare(const struct claim *c, const struct runs *r, size_t side) {
    struct comparison out = c->kind == CLAIM_EXACT         ? compare_model(r, side)
                            : c->kind == CLAIM_PROBABILITY ? compare_shares(r, side)
                                                           : compare_means(c, r, side);
    bool absolute =
        c->is_cosine || !(fabs(out.stated) > 0) ||
        (c->kind == CLAIM_EXACT && strcmp(c->relation, "=") == 0 && fabs(out.stated) < 1);
    out.unit = absolute ? 1 : fabs(out.stated);
    out.decides = c->kind == CLAIM_EXACT || r->count >= DECIDING_SEEDS;
    if (c->kind == CLAIM_LIMIT)
        allow(c, r, &out);
    else
        out.below = out.above = ROUNDING;
    return out;
}

/* How far value is out, in units of stated; below 0 if it is where it should be. */
static double excess(const struct claim *c, const struct comparison *k, double low, double high) {
    double over = (low - k->stated) / k->unit - k->above;
    double under = (k->stated - high) / k->unit - k->below;
    return *c->relation == '<' ? over : *c->relation == '>' ? under : over > under ? over : under;
}

static void widen(struct span *s, double value) {
    *s = (struct span){fmin(s->low, value), fmax(s->high, value)};
}

static void take(struct outcome *o, const struct claim *c, const struct comparison *k,
                 struct verify_place at) {
    o->compared++;
    if (!isfinite(k->measured) || !isfinite(k->high - k->low)) {
        o->not_finite++;
        return;
    }
    double off = excess(c, k, k->measured, k->measured);
    bool outside = k->decides && excess(c, k, k->low, k->high) > 0;
    bool wide = off > 0 && (!k->decides || (k->high - k->low) / 2 > DECIDING_INTERVAL * k->unit);
    o->outside += outside;
    o->undecided += !outside && (wide || k->above > DECIDING_ALLOWANCE);
    widen(&o->all_stated, k->stated);
    widen(&o->all_measured, k->measured);
    if (fabs(k->stated) > 0)
        widen(&o->all_ratios, k->measured / k->stated);
    /* Of what is outside its interval, whatever is within its own counts for less. */
    double worst = outside ? off : off < 0 ? off : 0;
    if (worst >= o->worst) {
        o->worst = worst;
        o->at = at;
        o->stated = k->stated;
        o->measured = k->measured;
        o->low = k->low;
        o->high = k->high;
    }
}

static const char *reason_of(const struct sides *s, int claim) {
    return s->reason[claim] ? s->reason[claim] : "nothing is measured";
}

static struct outcome judge(const struct runs *r, int number) {
    const struct claim *c = &r->v->claim[number];
    struct cell at = grid_cell(&r->v->grid, r->cell);
    int64_t layers = r->v->grid.depth[at.depth];
    struct outcome o = outcome_nothing();
    size_t side = verify_side(r->v, number, layers);
    for (int64_t i = 0; i < claim_places(c, layers); i++, side++) {
        if (!is_stated(r, side))
            continue;
        struct comparison k = compare(c, r, side);
        take(&o, c, &k, (struct verify_place){r->variant, at, claim_place(c, layers, i)});
    }
    if (!o.compared && r->count)
        o.reason = reason_of(verify_sides(r->v, r->first, r->cell), number);
    return o;
}

static struct runs runs_of(const struct verify *v, int variant, int cell) {
    return (struct runs){.v = v,
                         .variant = variant,
                         .cell = cell,
                         .first = verify_first_run(v, variant),
                         .count = verify_models(v, variant, grid_cell(&v->grid, cell))};
}

static int count_means(const struct verify *v) {
    int count = 0;
    for (int variant = 0; variant < variants_count; variant++)
        for (int cell = 0; variants[variant].statistical && cell < grid_cells(&v->grid); cell++) {
            struct runs r = runs_of(v, variant, cell);
            int64_t layers = v->grid.depth[grid_cell(&v->grid, cell).depth];
            for (size_t side = 0; side < verify_side(v, v->claims, layers); side++)
                count += is_stated(&r, side);
        }
    return count;
}

bool verify_judge(struct verify *v) {
    size_t count = (size_t)v->claims * (size_t)variants_count * (size_t)grid_cells(&v->grid);
    double *values = malloc((size_t)v->seeds * sizeof *values);
    v->outcome = pool_allocate(&v->pool, count * sizeof *v->outcome);
    v->comparisons = count_means(v);
    double miss = shared_miss(0.05, v->comparisons > 0 ? v->comparisons : 1);
    for (int variant = 0; values && v->outcome && variant < variants_count; variant++)
        for (int cell = 0; cell < grid_cells(&v->grid); cell++) {
            struct runs r = runs_of(v, variant, cell);
            r.values = values;
            r.miss = miss;
            r.quantile = r.count > 1 ? student_quantile(miss, r.count - 1) : 0;
            for (int c = 0; c < v->claims; c++)
                *verify_outcome(v, c, variant, cell) =
                    variant_asks(&variants[variant], &v->claim[c]) ? judge(&r, c)
                                                                   : outcome_nothing();
        }
    bool good = values && v->outcome;
    free(values);
    if (!good)
        usage_error("no memory for the comparisons");
    return good;
}
