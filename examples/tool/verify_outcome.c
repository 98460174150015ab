#include "verify.h"

#include <inttypes.h>
#include <math.h>

struct outcome outcome_nothing(void) {
    const struct span none = {INFINITY, -INFINITY};
    return (struct outcome){
        .all_stated = none, .all_measured = none, .all_ratios = none, .worst = -INFINITY};
}

static struct span both(struct span a, struct span b) {
    return (struct span){fmin(a.low, b.low), fmax(a.high, b.high)};
}

static struct outcome merge(struct outcome a, struct outcome b) {
    struct outcome o = b.worst > a.worst ? b : a;
    o.compared = a.compared + b.compared;
    o.not_finite = a.not_finite + b.not_finite;
    o.outside = a.outside + b.outside;
    o.undecided = a.undecided + b.undecided;
    o.all_stated = both(a.all_stated, b.all_stated);
    o.all_measured = both(a.all_measured, b.all_measured);
    o.all_ratios = both(a.all_ratios, b.all_ratios);
    o.reason = a.reason ? a.reason : b.reason;
    return o;
}

struct outcome verify_merged(const struct verify *v, int c, int placement, int variant) {
    struct outcome o = outcome_nothing();
    for (int i = 0; i < variants_count; i++)
        for (int cell = 0; cell < grid_cells(&v->grid); cell++)
            if ((variant < 0 || i == variant) && grid_cell(&v->grid, cell).placement == placement)
                o = merge(o, *verify_outcome(v, c, i, cell));
    return o;
}

enum verdict verify_verdict(const struct claim *c, const struct outcome *o) {
    bool proved = c->kind != CLAIM_LIMIT && c->kind != CLAIM_PUBLISHED;
    return !o->compared ? VERDICT_NONE
           : o->outside ? (proved ? VERDICT_VIOLATED : VERDICT_DIFFERS)
           : o->undecided || o->not_finite == o->compared ? VERDICT_UNDECIDED
                                                          : VERDICT_HOLDS;
}

const char *verify_word(enum verdict verdict) {
    static const char *const words[] = {[VERDICT_HOLDS] = "holds",
                                        [VERDICT_UNDECIDED] = "undecided",
                                        [VERDICT_DIFFERS] = "does not reproduce",
                                        [VERDICT_VIOLATED] = "VIOLATED",
                                        [VERDICT_NONE] = "not covered"};
    return words[verdict];
}

/* "x10, d=64, rho=1, L=6, sublayer 3" */
static const char *where(const struct verify *v, const struct claim *c, const struct outcome *o,
                         struct pool *pool) {
    const struct verify_place *at = &o->at;
    const char *place = at->number == 0              ? ""
                        : claim_takes(c, "sublayer") ? ", sublayer "
                                                     : ", layer ";
    return pool_print(pool, "%s, d=%" PRId64 ", rho=%g, L=%" PRId64 "%s%.0d",
                      variants[at->variant].name, v->grid.width[at->cell.width],
                      v->grid.ratio[at->cell.ratio], v->grid.depth[at->cell.depth], place,
                      (int)at->number);
}

static const char *among(const struct outcome *o, int count, struct pool *pool) {
    return count == o->compared ? pool_print(pool, "all of %d", count)
                                : pool_print(pool, "%d of %d", count, o->compared);
}

const char *verify_words(const struct verify *v, const struct claim *c, const struct outcome *o,
                         struct pool *pool) {
    enum verdict verdict = verify_verdict(c, o);
    const char *word = verify_word(verdict), *beside = "";
    if (o->not_finite)
        beside = pool_print(pool, "; not finite in %d", o->not_finite);
    switch (verdict) {
    case VERDICT_NONE:
        return pool_print(pool, "%s%s%s", word, o->reason ? ": " : "", o->reason ? o->reason : "");
    case VERDICT_HOLDS:
        return pool_print(pool, "%s, %s%s", word, among(o, o->compared - o->not_finite, pool),
                          beside);
    case VERDICT_UNDECIDED:
        return pool_print(pool, "%s, %s%s", word, among(o, o->undecided, pool), beside);
    case VERDICT_DIFFERS:
    case VERDICT_VIOLATED:
        break;
    }
    return pool_print(pool, "%s, %s, by up to %.2g (%s)%s", word, among(o, o->outside, pool),
                      o->worst, where(v, c, o, pool), beside);
}

struct verify_count verify_counted(const struct verify *v) {
    struct verify_count all = {0};
    for (int c = 0; c < v->claims; c++) {
        bool compared = false;
        for (int p = 0; p < v->grid.placements; p++) {
            struct outcome o = verify_merged(v, c, p, -1);
            bool violated = verify_verdict(&v->claim[c], &o) == VERDICT_VIOLATED;
            all.compared += o.compared;
            *(violated ? &all.violated : &all.differ) += o.outside;
            all.undecided += o.undecided;
            all.not_finite += o.not_finite;
            compared = compared || o.compared;
        }
        all.silent += !compared;
    }
    return all;
}
