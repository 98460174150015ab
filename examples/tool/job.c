#include "job.h"

#include "interrupt.h"
#include "weights.h"

#include <stdio.h>

static bool make_inputs(const struct sweep *s, struct job job, uint64_t seed, struct inputs *in,
                        char message[MESSAGE_SIZE]) {
    const struct setting *set = &s->setting;
    int64_t width = set->grid->width[job.width];
    bool good = s->text ? inputs_text(in, set->tokens, s->text, seed)
                        : inputs_gaussian(in, set->tokens, width, set->vocab, seed);
    if (!good)
        snprintf(message, MESSAGE_SIZE, "no memory for the inputs");
    return good;
}

static bool run_model(struct sweep *s, struct cell at, int seed, const struct inputs *in,
                      lnstab_model *m, char message[MESSAGE_SIZE]) {
    size_t place = sweep_place(s, at, seed), tokens = (size_t)s->setting.tokens;
    bool good = measure(m, in, s->setting.grid->depth[at.depth], &s->runs[place],
                        s->states + place * tokens, s->shares + place * tokens);
    if (!good)
        snprintf(message, MESSAGE_SIZE, "%s: %s", s->setting.grid->placement[at.placement].label,
                 lnstab_model_message(m));
    return good;
}

static bool run_cell(struct sweep *s, struct cell at, int seed, const struct weights *w,
                     const struct inputs *in, struct recycler *r, char message[MESSAGE_SIZE]) {
    lnstab_config *c;
    lnstab_model *m = NULL;
    if (!setting_config(&s->setting, at, MEASURED_LAST, r, &c, message))
        return false;
    bool good = weights_lend(w, c, &m, message) && run_model(s, at, seed, in, m, message);
    lnstab_model_destroy(m);
    lnstab_config_destroy(c);
    return good;
}

static enum work_end run_cells(struct sweep *s, struct job job, const struct weights *w,
                               const struct inputs *in, struct recycler *r,
                               char message[MESSAGE_SIZE]) {
    const struct grid *g = s->setting.grid;
    for (int p = 0; p < g->placements; p++)
        for (int l = 0; l < g->depths; l++) {
            struct cell at = {p, job.ratio, job.width, l};
            if (interrupted())
                return WORK_INTERRUPTED;
            if (!run_cell(s, at, job.seed, w, in, r, message))
                return WORK_FAILED;
        }
    return WORK_COMPLETE;
}

enum work_end job_run(struct sweep *s, struct job job, struct job_memory *memory,
                      char message[MESSAGE_SIZE]) {
    uint64_t seed = s->first_seed + (uint64_t)job.seed;
    struct cell at = {0, job.ratio, job.width, 0};
    struct weights w;
    struct inputs in = {0};
    enum work_end end = WORK_FAILED;
    if (weights_draw(&w, &s->setting, at, seed, &memory->drawn, message) &&
        make_inputs(s, job, seed, &in, message))
        end = run_cells(s, job, &w, &in, &memory->measured, message);
    inputs_free(&in);
    weights_free(&w);
    return end;
}

void job_memory_end(struct job_memory *memory) {
    recycler_end(&memory->drawn);
    recycler_end(&memory->measured);
}

/* A weight costs about 10 units where it is drawn and 2 in each model that copies and uses it. */
double job_work(const struct sweep *s, struct job job) {
    const struct grid *g = s->setting.grid;
    double d = (double)g->width[job.width], total = 0, most = 0;
    for (int l = 0; l < g->depths; l++) {
        total += (double)g->depth[l];
        most = (double)g->depth[l] > most ? (double)g->depth[l] : most;
    }
    return d * d * (1 + 2 * g->ratio[job.ratio]) * (10 * most + 2 * total * g->placements);
}
