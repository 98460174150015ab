/* Rows of numbers for other programs. */
#include "fields.h"
#include "json.h"
#include "verify.h"

#include <inttypes.h>
#include <math.h>

static bool is_empty(struct span s) {
    return !(s.low <= s.high);
}

static void put_span(FILE *out, struct span s) {
    for (int i = 0; i < 2; i++) {
        fputc(',', out);
        if (!is_empty(s))
            field_number(out, i ? s.high : s.low);
    }
}

/* "" where nothing finite was compared. */
static void put_worst(FILE *out, const struct outcome *o) {
    const double values[] = {(double)o->at.number, o->stated, o->measured, o->low, o->high};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        fputc(',', out);
        if (!is_empty(o->all_measured))
            field_number(out, values[i]);
    }
}

static void csv_row(const struct verify *v, int number, int variant, int cell, FILE *out) {
    const struct claim *c = &v->claim[number];
    const struct outcome *o = verify_outcome(v, number, variant, cell);
    struct cell at = grid_cell(&v->grid, cell);
    fprintf(out, "%s,%s,%s,", c->name, c->kind_name, c->relation);
    field_text(out, v->grid.placement[at.placement].label);
    fputc(',', out);
    field_text(out, variants[variant].name);
    fprintf(out, ",%" PRId64 ",%.10g,%" PRId64 ",%d,%d,%d,%d", v->grid.width[at.width],
            v->grid.ratio[at.ratio], v->grid.depth[at.depth], o->compared, o->outside, o->undecided,
            o->not_finite);
    put_span(out, o->all_stated);
    put_span(out, o->all_measured);
    put_span(out, o->all_ratios);
    put_worst(out, o);
    fprintf(out, ",%s,", verify_word(verify_verdict(c, o)));
    field_text(out, o->reason ? o->reason : "");
    fputc('\n', out);
}

void verify_csv(const struct verify *v, FILE *out) {
    fputs("claim,kind,relation,placement,weights,d,rho,L,compared,outside,undecided,not_finite,"
          "stated_low,stated_high,measured_low,measured_high,ratio_low,ratio_high,worst_place,"
          "worst_stated,worst_measured,worst_measured_low,worst_measured_high,verdict,reason\n",
          out);
    for (int c = 0; c < v->claims; c++)
        for (int variant = 0; variant < variants_count; variant++)
            for (int cell = 0; cell < grid_cells(&v->grid); cell++)
                if (variant_asks(&variants[variant], &v->claim[c]))
                    csv_row(v, c, variant, cell, out);
}

static void json_span(struct json *j, const char *key, struct span s) {
    json_open(j, key, '[');
    for (int i = 0; i < 2 && !is_empty(s); i++)
        json_number(j, NULL, i ? s.high : s.low);
    json_close(j, ']');
}

static void json_worst(struct json *j, const struct verify *v, const struct outcome *o) {
    if (is_empty(o->all_measured))
        return;
    json_open(j, "worst", '{');
    json_integer(j, "d", v->grid.width[o->at.cell.width]);
    json_number(j, "rho", v->grid.ratio[o->at.cell.ratio]);
    json_integer(j, "L", v->grid.depth[o->at.cell.depth]);
    json_integer(j, "place", o->at.number);
    json_number(j, "stated", o->stated);
    json_number(j, "measured", o->measured);
    json_number(j, "measured_low", o->low);
    json_number(j, "measured_high", o->high);
    json_close(j, '}');
}

static void json_line(struct json *j, const struct verify *v, int c, int placement, int variant) {
    const struct outcome o = verify_merged(v, c, placement, variant);
    json_open(j, NULL, '{');
    json_text(j, "placement", v->grid.placement[placement].label);
    json_text(j, "weights", variants[variant].name);
    json_integer(j, "compared", o.compared);
    json_integer(j, "outside", o.outside);
    json_integer(j, "undecided", o.undecided);
    json_integer(j, "not_finite", o.not_finite);
    json_span(j, "stated", o.all_stated);
    json_span(j, "measured", o.all_measured);
    json_span(j, "ratio", o.all_ratios);
    json_worst(j, v, &o);
    json_text(j, "verdict", verify_word(verify_verdict(&v->claim[c], &o)));
    json_text(j, "reason", o.reason ? o.reason : "");
    json_close(j, '}');
}

static void json_claim(struct json *j, const struct verify *v, int number) {
    const struct claim *c = &v->claim[number];
    json_open(j, NULL, '{');
    json_text(j, "claim", c->name);
    json_text(j, "source", c->source);
    json_text(j, "kind", c->kind_name);
    json_text(j, "relation", c->relation);
    json_text(j, "statement", c->formula);
    json_text(j, "assumptions", c->assumptions);
    json_open(j, "lines", '[');
    for (int placement = 0; placement < v->grid.placements; placement++)
        for (int variant = 0; variant < variants_count; variant++)
            if (variant_asks(&variants[variant], c))
                json_line(j, v, number, placement, variant);
    json_close(j, ']');
    json_close(j, '}');
}

void verify_json(const struct verify *v, FILE *out) {
    const struct verify_count count = verify_counted(v);
    struct json j = {out, 0, true};
    json_open(&j, NULL, '{');
    json_integer(&j, "seeds", v->seeds);
    json_integer(&j, "tokens", v->tokens);
    json_integer(&j, "comparisons", count.compared);
    json_integer(&j, "violated", count.violated);
    json_integer(&j, "do_not_reproduce", count.differ);
    json_integer(&j, "undecided", count.undecided);
    json_integer(&j, "not_finite", count.not_finite);
    json_open(&j, "claims", '[');
    for (int c = 0; c < v->claims; c++)
        json_claim(&j, v, c);
    json_close(&j, ']');
    json_close(&j, '}');
}
