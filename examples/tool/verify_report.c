#include "verify.h"

#include <inttypes.h>
#include <math.h>

const char *const verify_names[] = {"verdicts", "lines", "claims", NULL};

static const char *spell_span(struct span s, struct pool *pool) {
    const char *low = pool_print(pool, "%.3g", s.low), *high = pool_print(pool, "%.3g", s.high);
    return !(s.low <= s.high)                      ? "-"
           : s.high - s.low <= 1e-3 * fabs(s.high) ? high
                                                   : pool_print(pool, "%s..%s", low, high);
}

/* How far measured is from stated: of an inequality, how loose it is. */
static const char *with_ratio(const char *words, const struct outcome *o, struct pool *pool) {
    return o->all_ratios.low <= o->all_ratios.high
               ? pool_print(pool, "%s; ratio %s", words, spell_span(o->all_ratios, pool))
               : words;
}

static void put_verdict(struct document *d, const struct verify *v, int number, int placement) {
    const struct claim *c = &v->claim[number];
    const struct outcome o = verify_merged(v, number, placement, -1);
    struct pool *pool = &d->pool;
    const struct verdict_line line = {.source = c->source,
                                      .claim = pool_print(pool, "%s (%s, measured %s stated): %s",
                                                          c->name, c->kind_name, c->relation,
                                                          c->formula),
                                      .subject = v->grid.placement[placement].label,
                                      .measured = spell_span(o.all_measured, pool),
                                      .predicted = spell_span(o.all_stated, pool),
                                      .words = with_ratio(verify_words(v, c, &o, pool), &o, pool),
                                      .violated = verify_verdict(c, &o) == VERDICT_VIOLATED};
    document_verdict(d, &line);
}

static void put_summary(struct document *d, const struct verify *v) {
    const struct verify_count count = verify_counted(v);
    document_paragraph(d,
                       "%d claims, %d placements, %d comparisons: %d violated, %d do not "
                       "reproduce, %d undecided, %d not finite; %d claims are compared nowhere.",
                       v->claims, v->grid.placements, count.compared, count.violated, count.differ,
                       count.undecided, count.not_finite, count.silent);
}

static void put_range(struct table *t, struct span s) {
    if (s.low <= s.high)
        table_range(t, s.low, s.high, 4);
    else
        table_missing(t);
}

static void put_line(struct table *t, const struct verify *v, int number, int placement,
                     int variant) {
    const struct claim *c = &v->claim[number];
    const struct outcome o = verify_merged(v, number, placement, variant);
    table_text(t, "%s", c->name);
    table_text(t, "%s", v->grid.placement[placement].label);
    table_text(t, "%s", variants[variant].name);
    table_integer(t, o.compared);
    put_range(t, o.all_stated);
    put_range(t, o.all_measured);
    put_range(t, o.all_ratios);
    if (o.all_measured.low <= o.all_measured.high)
        table_relative(t, o.measured, (o.high - o.low) / 2);
    else
        table_missing(t);
    table_text(t, "%s", verify_words(v, c, &o, t->pool));
}

static void put_lines(struct document *d, const struct verify *v) {
    static const struct table_column columns[] = {
        {"claim", "claim", TABLE_TEXT},     {"placement", "placement", TABLE_TEXT},
        {"weights", "weights", TABLE_TEXT}, {"compared", "compared", TABLE_NUMBER},
        {"stated", "stated", TABLE_RANGE},  {"measured", "measured", TABLE_RANGE},
        {"ratio", "ratio", TABLE_RANGE},    {"worst", "worst", TABLE_ESTIMATE},
        {"verdict", "verdict", TABLE_TEXT}, {NULL, NULL, TABLE_TEXT}};
    document_heading(d, "By weights");
    struct table *t = document_table(d, "lines", NULL, columns);
    for (int c = 0; c < v->claims; c++)
        for (int placement = 0; placement < v->grid.placements; placement++)
            for (int variant = 0; variant < variants_count; variant++)
                if (variant_asks(&variants[variant], &v->claim[c]))
                    put_line(t, v, c, placement, variant);
    document_paragraph(d, "ratio: measured/stated. worst: measured where it comes nearest to what "
                          "is stated, or is furthest beyond it; of means with the interval that "
                          "all comparisons share.");
}

static void put_claims(struct document *d, const struct verify *v) {
    static const struct table_column columns[] = {
        {"claim", "claim", TABLE_TEXT},
        {"source", "source", TABLE_TEXT},
        {"kind", "kind", TABLE_TEXT},
        {"relation", "measured", TABLE_TEXT},
        {"statement", "stated", TABLE_TEXT},
        {"assumptions", "assumptions", TABLE_TEXT},
        {NULL, NULL, TABLE_TEXT},
    };
    document_heading(d, "Statements");
    struct table *t = document_table(d, "claims", NULL, columns);
    for (const struct claim *c = v->claim; c < v->claim + v->claims; c++) {
        const char *const texts[] = {c->name,     c->source,  c->kind_name,
                                     c->relation, c->formula, c->assumptions};
        for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
            table_text(t, "%s", texts[i]);
    }
}

static void put_variants(struct document *d) {
    document_heading(d, "Weights");
    for (int i = 0; i < variants_count; i++)
        document_code(d, variants[i].name, variants[i].assignments);
}

void verify_report(const struct verify *v, struct document *d) {
    document_start(d, "lnstab verify", "");
    d->subtitle = pool_print(&d->pool, "%s; n = %" PRId64 ", %d seeds from %" PRIu64,
                             v->origin.grid, v->tokens, v->seeds, v->run.first_seed);
    for (int c = 0; c < v->claims; c++)
        for (int placement = 0; placement < v->grid.placements; placement++)
            put_verdict(d, v, c, placement);
    put_summary(d, v);
    document_appendix(d);
    put_lines(d, v);
    put_claims(d, v);
    put_variants(d);
    document_origin(d, &v->origin);
}
