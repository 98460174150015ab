#include "csv.h"

#include "not_finite.h"

#include <inttypes.h>
#include <stddef.h>
#include <string.h>

static const struct column {
    const char *name;
    size_t offset;
} columns[] = {
    {"loss", offsetof(struct measurement, loss)},
    {"raw_norm", offsetof(struct measurement, raw)},
    {"token_ratio", offsetof(struct measurement, ratio)},
    {"gradient_max", offsetof(struct measurement, gradient_max)},
    {"gradient_mean_square", offsetof(struct measurement, gradient_square)},
    {"state_mean_square", offsetof(struct measurement, state)},
    {"cosine_input", offsetof(struct measurement, cosine_input)},
    {"cosine_hidden", offsetof(struct measurement, cosine_hidden)},
    {"cosine_costate", offsetof(struct measurement, cosine_costate)},
};

#define COLUMNS (sizeof columns / sizeof columns[0])

/* Least and largest Z_i/d of the run's tokens, which Definition 1 is about. */
static void state_range(const double *states, int64_t tokens, double *least, double *largest) {
    *least = *largest = states[0];
    for (int64_t i = 1; i < tokens; i++) {
        *least = least_of(*least, states[i]);
        *largest = largest_of(*largest, states[i]);
    }
}

void csv_header(FILE *out) {
    fputs("placement,assignments,L,d,rho,seed,tokens", out);
    for (size_t i = 0; i < COLUMNS; i++)
        fprintf(out, ",%s", columns[i].name);
    fputs(",state_min,state_max\n", out);
    fflush(out);
}

static void row(FILE *out, const struct sweep *s, struct cell at, int seed) {
    const struct grid *g = s->setting.grid;
    const char *label = g->placement[at.placement].label;
    size_t place = sweep_place(s, at, seed), name = strcspn(label, " ");
    double least, largest;
    state_range(s->states + place * (size_t)s->setting.tokens, s->setting.tokens, &least, &largest);
    fprintf(out, "%.*s,%s,%" PRId64 ",%" PRId64 ",%.10g,%" PRIu64 ",%" PRId64, (int)name, label,
            label[name] ? label + name + 1 : "", g->depth[at.depth], g->width[at.width],
            g->ratio[at.ratio], s->first_seed + (uint64_t)seed, s->setting.tokens);
    for (size_t i = 0; i < COLUMNS; i++) {
        const void *value = (const char *)&s->runs[place] + columns[i].offset;
        fprintf(out, ",%.9g", shown(*(const double *)value));
    }
    fprintf(out, ",%.9g,%.9g\n", shown(least), shown(largest));
}

void csv_job(FILE *out, const struct sweep *s, struct job job) {
    const struct grid *g = s->setting.grid;
    for (int p = 0; p < g->placements; p++)
        for (int l = 0; l < g->depths; l++)
            row(out, s, (struct cell){p, job.ratio, job.width, l}, job.seed);
    fflush(out);
}
