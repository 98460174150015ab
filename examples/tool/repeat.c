#include "repeat.h"

#include "job.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static struct grid grid_of(const struct grid *g, struct job job) {
    struct grid one = *g;
    one.placements = one.ratios = one.widths = one.depths = 1;
    one.ratio[0] = g->ratio[job.ratio];
    one.width[0] = g->width[job.width];
    return one;
}

/* NaN has many bit patterns and one text. */
static bool same_number(double a, double b) {
    return memcmp(&a, &b, sizeof a) == 0 || (isnan(a) && isnan(b));
}

static bool same(const struct measurement *a, const struct measurement *b) {
    double x[MEASUREMENTS], y[MEASUREMENTS];
    bool good = true;
    memcpy(x, a, sizeof x);
    memcpy(y, b, sizeof y);
    for (size_t i = 0; i < MEASUREMENTS; i++)
        good = good && same_number(x[i], y[i]);
    return good;
}

static enum work_end run_alone(struct sweep *alone, char message[MESSAGE_SIZE]) {
    struct job_memory memory = {0};
    enum work_end end = WORK_FAILED;
    if (sweep_allocate(alone))
        end = job_run(alone, (struct job){0, 0, 0}, &memory, message);
    else
        snprintf(message, MESSAGE_SIZE, "no memory for a run");
    job_memory_end(&memory);
    return end;
}

enum work_end repeat_run(const struct sweep *s, struct job job, char message[MESSAGE_SIZE]) {
    const struct grid *g = s->setting.grid, one = grid_of(g, job);
    struct cell at = {0, job.ratio, job.width, 0};
    struct sweep alone = {.setting = s->setting, .text = s->text, .seeds = 1};
    alone.first_seed = s->first_seed + (uint64_t)job.seed;
    alone.setting.grid = &one;
    enum work_end end = run_alone(&alone, message);
    if (end == WORK_COMPLETE && !same(&alone.runs[0], &s->runs[sweep_place(s, at, job.seed)])) {
        snprintf(message, MESSAGE_SIZE,
                 "%s, L=%" PRId64 ", d=%" PRId64 ", seed %" PRIu64
                 " gives other numbers than before: is it another BLAS or processor?",
                 g->placement[0].label, g->depth[0], g->width[job.width], alone.first_seed);
        end = WORK_FAILED;
    }
    sweep_free(&alone);
    return end;
}
