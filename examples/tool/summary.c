#include "summary.h"

#include "not_finite.h"

#include <math.h>
#include <stdlib.h>

double predicted_raw(const struct prediction *p, const struct measurement *m, int64_t tokens) {
    double n = (double)tokens;
    double coherence = 1 + (n - 1) * p->cosine_hidden * m->cosine_costate;
    return p->ratio * sqrt(m->gradient_square / n * coherence);
}

static double largest(const double *values, int64_t count) {
    double most = 0;
    for (int64_t i = 0; i < count; i++)
        most = largest_of(most, values[i]);
    return most;
}

const struct cell_summary *summary_at(const struct summary *s, struct cell at) {
    return &s->cells[grid_index(s->sweep->setting.grid, at)];
}

double summary_value(const struct summary *s, struct cell at, int seed, enum quantity q) {
    const struct prediction *p = &summary_at(s, at)->prediction;
    const struct sweep *sweep = s->sweep;
    size_t place = sweep_place(sweep, at, seed);
    const struct measurement *m = &sweep->runs[place];
    int64_t n = sweep->setting.tokens;
    switch (q) {
    case RAW:
        return m->raw;
    case RATIO:
        return m->ratio;
    case STATE:
        return m->state;
    case RAW_OF_PRINTED:
        return m->raw / (p->printed * m->gradient_max);
    case RAW_OF_RIGOROUS:
        return m->raw / (p->rigorous * m->gradient_max);
    case TOKEN_OF_PRINTED:
        return largest(sweep->shares + place * (size_t)n, n) / p->printed;
    case RATIO_OF_PREDICTED:
        return m->ratio / p->ratio;
    case RAW_OF_PREDICTED:
        return m->raw / predicted_raw(p, m, n);
    case STATE_OF_PREDICTED:
        return m->state / p->state;
    case PRINTED_BOUND:
        return p->printed * m->gradient_max;
    case RIGOROUS_BOUND:
        return p->rigorous * m->gradient_max;
    case INPUT_COSINE:
        return m->cosine_input;
    case HIDDEN_COSINE:
        return m->cosine_hidden;
    case COSTATE_COSINE:
        return m->cosine_costate;
    case LOSS:
        return m->loss;
    case QUANTITIES:
        break;
    }
    return NAN;
}

static void summarise(struct summary *s, struct cell at, double *values) {
    const struct sweep *sweep = s->sweep;
    struct cell_summary *c = &s->cells[grid_index(sweep->setting.grid, at)];
    for (int q = 0; q < QUANTITIES; q++) {
        for (int seed = 0; seed < sweep->seeds; seed++)
            values[seed] = summary_value(s, at, seed, (enum quantity)q);
        c->of[q] = estimate_of(values, sweep->seeds);
    }
}

struct fraction summary_above_bound(const struct summary *s, struct cell at, double miss) {
    const struct sweep *sweep = s->sweep;
    int64_t n = sweep->setting.tokens;
    return fraction_above(sweep->shares + sweep_place(sweep, at, 0) * (size_t)n,
                          summary_at(s, at)->prediction.rigorous_token, sweep->seeds, n, miss);
}

/* Theorem 1's probability says something only where its bound does. */
static void drop_uncovered(struct cell_summary *c) {
    if (isnan(c->prediction.printed))
        c->bounded.published = c->bounded.repaired_one = c->bounded.repaired_all = NAN;
}

bool summary_make(struct summary *out, const struct sweep *s) {
    int cells = grid_cells(s->setting.grid);
    double *values = malloc((size_t)s->seeds * sizeof *values);
    *out = (struct summary){s, calloc((size_t)cells, sizeof *out->cells)};
    bool good = values && out->cells;
    if (!good)
        usage_error("no memory for the summary");
    for (int i = 0; good && i < cells; i++) {
        struct cell at = grid_cell(s->setting.grid, i);
        good = predict_cell(&s->setting, at, &out->cells[i].prediction) &&
               boundedness_of(s, at, &out->cells[i].bounded);
        if (good) {
            drop_uncovered(&out->cells[i]);
            summarise(out, at, values);
        }
    }
    free(values);
    return good;
}

void summary_free(struct summary *out) {
    free(out->cells);
}
