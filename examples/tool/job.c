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

/* What the runs of a job and a placement have in common. */
struct runs {
    struct sweep *sweep;
    int seed;
    const struct weights *weights;
    const struct inputs *in;
    struct recycler *recycler;
    struct reached reached;
};

static bool run_model(struct runs *r, struct cell at, lnstab_model *m, struct likeness *likeness,
                      char message[MESSAGE_SIZE]) {
    struct sweep *s = r->sweep;
    const struct grid *g = s->setting.grid;
    size_t place = sweep_place(s, at, r->seed), tokens = (size_t)s->setting.tokens;
    int64_t layers = g->depth[at.depth];
    const struct reached *from = reached_serves(&r->reached, likeness, layers) ? &r->reached : NULL;
    if (!measure(m, r->in, from, layers, &s->runs[place], s->states + place * tokens,
                 s->shares + place * tokens)) {
        snprintf(message, MESSAGE_SIZE, "%s: %s", g->placement[at.placement].label,
                 lnstab_model_message(m));
        return false;
    }
    reached_take(&r->reached, m, layers, likeness, s->runs[place].cosine_input);
    return true;
}

static bool run_cell(struct runs *r, struct cell at, char message[MESSAGE_SIZE]) {
    lnstab_config *c;
    lnstab_model *m = NULL;
    if (!setting_config(&r->sweep->setting, at, MEASURED_LAST, r->recycler, &c, message))
        return false;
    struct likeness likeness = likeness_of(c);
    bool good = weights_lend(r->weights, c, &likeness, &m, message) &&
                run_model(r, at, m, &likeness, message);
    likeness_free(&likeness);
    lnstab_model_destroy(m);
    lnstab_config_destroy(c);
    return good;
}

/* The place of the least depth above that; -1 if there is none. Depths may be written in any order. */
static int next_depth(const struct grid *g, int64_t depth) {
    int next = -1;
    for (int l = 0; l < g->depths; l++)
        if (g->depth[l] > depth && (next < 0 || g->depth[l] < g->depth[next]))
            next = l;
    return next;
}

/* From shallow to deep, each from where the one before ended if its layers are the same. */
static enum work_end run_depths(struct runs *r, struct cell at, char message[MESSAGE_SIZE]) {
    const struct grid *g = r->sweep->setting.grid;
    for (int l = next_depth(g, 0); l >= 0; l = next_depth(g, g->depth[l])) {
        at.depth = l;
        if (interrupted())
            return WORK_INTERRUPTED;
        if (!run_cell(r, at, message))
            return WORK_FAILED;
    }
    return WORK_COMPLETE;
}

static enum work_end run_cells(struct runs *r, struct job job, char message[MESSAGE_SIZE]) {
    enum work_end end = WORK_COMPLETE;
    for (int p = 0; end == WORK_COMPLETE && p < r->sweep->setting.grid->placements; p++) {
        end = run_depths(r, (struct cell){p, job.ratio, job.width, 0}, message);
        reached_free(&r->reached);
    }
    return end;
}

enum work_end job_run(struct sweep *s, struct job job, struct job_memory *memory,
                      char message[MESSAGE_SIZE]) {
    uint64_t seed = s->first_seed + (uint64_t)job.seed;
    struct cell at = {0, job.ratio, job.width, 0};
    struct weights w;
    struct inputs in = {0};
    struct runs runs = {s, job.seed, &w, &in, &memory->measured, {0}};
    enum work_end end = WORK_FAILED;
    if (weights_draw(&w, &s->setting, at, seed, &memory->drawn, message) &&
        make_inputs(s, job, seed, &in, message))
        end = run_cells(&runs, job, message);
    inputs_free(&in);
    weights_free(&w);
    return end;
}

void job_memory_end(struct job_memory *memory) {
    recycler_end(&memory->drawn);
    recycler_end(&memory->measured);
}

/* A weight costs about 10 units where it is drawn and 2 in each placement that multiplies with it, as depths of a
 * placement share their layers. */
double job_work(const struct sweep *s, struct job job) {
    const struct grid *g = s->setting.grid;
    double d = (double)g->width[job.width], most = 0;
    for (int l = 0; l < g->depths; l++)
        most = (double)g->depth[l] > most ? (double)g->depth[l] : most;
    return d * d * (1 + 2 * g->ratio[job.ratio]) * most * (10 + 2 * g->placements);
}
