#include "report_json.h"

#include "allowance.h"
#include "json.h"

static const char *const quantity_names[QUANTITIES] = {
    [RAW] = "raw_norm",
    [RATIO] = "token_ratio",
    [STATE] = "state_mean_square",
    [RAW_OF_PRINTED] = "raw_over_printed_bound",
    [RAW_OF_RIGOROUS] = "raw_over_rigorous_bound",
    [TOKEN_OF_PRINTED] = "largest_token_over_printed_bound",
    [RATIO_OF_PREDICTED] = "token_ratio_over_predicted",
    [RAW_OF_PREDICTED] = "raw_norm_over_predicted",
    [STATE_OF_PREDICTED] = "state_over_predicted",
    [PRINTED_BOUND] = "printed_bound",
    [RIGOROUS_BOUND] = "rigorous_bound",
    [INPUT_COSINE] = "cosine_input",
    [HIDDEN_COSINE] = "cosine_hidden",
    [COSTATE_COSINE] = "cosine_costate",
    [LOSS] = "loss",
};

static void write_estimate(struct json *j, const char *key, struct estimate e) {
    double half = half_width(e, 0.05);
    json_open(j, key, '{');
    json_number(j, "mean", e.mean);
    json_number(j, "lower", e.mean - half);
    json_number(j, "upper", e.mean + half);
    json_close(j, '}');
}

static void write_point(struct json *j, const struct grid *g, struct cell at) {
    json_text(j, "placement", g->placement[at.placement].label);
    json_number(j, "rho", g->ratio[at.ratio]);
    json_integer(j, "d", g->width[at.width]);
    json_integer(j, "L", g->depth[at.depth]);
}

static void write_prediction(struct json *j, const struct prediction *p) {
    json_open(j, "predicted", '{');
    json_number(j, "token_ratio", p->ratio);
    json_number(j, "state_mean_square", p->state);
    json_number(j, "lemma2_lower", p->lower);
    json_number(j, "lemma2_upper", p->upper);
    json_number(j, "cosine_hidden", p->cosine_hidden);
    json_number(j, "bound_over_C_g_printed", p->printed);
    json_number(j, "bound_over_C_g_rigorous_one_token", p->rigorous_token);
    json_number(j, "bound_over_C_g_rigorous_all_tokens", p->rigorous);
    json_close(j, '}');
}

static void write_boundedness(struct json *j, const struct boundedness *b) {
    json_open(j, "definition_1", '{');
    json_number(j, "epsilon", BOUNDEDNESS_EPSILON);
    json_number(j, "delta", b->delta.estimate);
    json_number(j, "delta_lower", b->delta.lower);
    json_number(j, "delta_upper", b->delta.upper);
    json_number(j, "tau", b->tau);
    json_number(j, "probability_published", b->published);
    json_number(j, "probability_repaired_one_token", b->repaired_one);
    json_number(j, "probability_repaired_all_tokens", b->repaired_all);
    json_close(j, '}');
}

static void write_cells(struct json *j, const struct summary *s) {
    const struct grid *g = s->sweep->setting.grid;
    json_open(j, "cells", '[');
    for (int i = 0; i < grid_cells(g); i++) {
        const struct cell_summary *c = &s->cells[i];
        json_open(j, NULL, '{');
        write_point(j, g, grid_cell(g, i));
        for (int q = 0; q < QUANTITIES; q++)
            write_estimate(j, quantity_names[q], c->of[q]);
        write_prediction(j, &c->prediction);
        write_boundedness(j, &c->bounded);
        json_close(j, '}');
    }
    json_close(j, ']');
}

static void write_fit(struct json *j, const struct grid *g, const struct fit *f, bool pooled) {
    bool depth = f->axis == ALONG_DEPTH;
    json_open(j, NULL, '{');
    json_text(j, "axis", depth ? "L" : "d");
    json_text(j, "quantity", quantity_names[f->quantity]);
    json_text(j, "placement", g->placement[f->at.placement].label);
    json_bool(j, "pooled", pooled);
    if (!pooled) {
        json_number(j, "rho", g->ratio[f->at.ratio]);
        json_integer(j, depth ? "d" : "L", depth ? g->width[f->at.width] : g->depth[f->at.depth]);
    }
    write_estimate(j, "exponent", f->measured);
    json_number(j, "predicted", f->predicted);
    json_number(j, "bound", f->bound);
    json_number(j, "allowance", f->allowance);
    json_close(j, '}');
}

static void write_fits(struct json *j, const struct grid *g, const struct fits *f) {
    json_open(j, "fits", '[');
    for (int i = 0; i < f->count; i++)
        write_fit(j, g, &f->fit[i], false);
    for (int i = 0; i < f->pooled_count; i++)
        write_fit(j, g, &f->pooled[i], true);
    json_close(j, ']');
}

static void write_verdicts(struct json *j, const struct verdicts *v) {
    json_open(j, "verdicts", '[');
    for (int i = 0; i < v->count; i++) {
        const struct verdict *one = &v->list[i];
        json_open(j, NULL, '{');
        json_text(j, "source", one->source);
        json_text(j, "claim", one->claim);
        json_text(j, "placement", one->placement);
        json_text(j, "measured", one->measured);
        json_text(j, "predicted", one->predicted);
        json_text(j, "verdict", one->words);
        json_bool(j, "violated", one->violated);
        json_close(j, '}');
    }
    json_close(j, ']');
}

static void write_setting(struct json *j, const struct sweep *s, const struct verdicts *v) {
    json_open(j, "setting", '{');
    json_text(j, "library", lnstab_build_info());
    json_text(j, "inputs", s->text ? "text" : "gaussian");
    json_text(j, "set", s->setting.assignments);
    json_integer(j, "tokens", s->setting.tokens);
    json_integer(j, "vocab", s->setting.vocab);
    json_integer(j, "seeds", s->seeds);
    json_integer(j, "first_seed", (int64_t)s->first_seed);
    json_number(j, "interval_level", 0.95);
    json_number(j, "verdict_level_of_one_comparison", 1 - v->miss);
    json_integer(j, "comparisons", v->comparisons);
    json_number(j, "finite_width_allowance_times_d", ALLOWANCE_FACTOR);
    json_close(j, '}');
}

void report_json(FILE *out, const struct summary *s, const struct fits *f,
                 const struct verdicts *v) {
    struct json j = {.out = out, .first = true};
    json_open(&j, NULL, '{');
    write_setting(&j, s->sweep, v);
    write_cells(&j, s);
    write_fits(&j, s->sweep->setting.grid, f);
    write_verdicts(&j, v);
    json_close(&j, '}');
}
