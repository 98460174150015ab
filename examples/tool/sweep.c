#include "sweep.h"

#include "job.h"

#include <stdlib.h>
#include <string.h>

/* What the functions of the work are given. */
struct running {
    struct sweep *sweep;
    const struct sweep_listener *listener;
};

static int job_count(const struct sweep *s) {
    return s->seeds * s->setting.grid->ratios * s->setting.grid->widths;
}

/* Seeds run slowest: an interrupted sweep has whole seeds. Of a seed what is last is first, the largest as
 * grids are written: no worker is left with a long job at the end, and its memory does not grow. */
static struct job job_at(const struct sweep *s, int index) {
    const struct grid *g = s->setting.grid;
    int ratio = index / g->widths % g->ratios, width = index % g->widths;
    return (struct job){index / (g->ratios * g->widths), g->ratios - 1 - ratio,
                        g->widths - 1 - width};
}

static int index_of(const struct sweep *s, struct job job) {
    const struct grid *g = s->setting.grid;
    return (job.seed * g->ratios + g->ratios - 1 - job.ratio) * g->widths + g->widths - 1 -
           job.width;
}

static enum work_end run_job(void *user, int index, void *memory, char message[MESSAGE_SIZE]) {
    const struct running *r = user;
    const struct sweep_listener *l = r->listener;
    struct job job = job_at(r->sweep, index);
    enum work_end end = job_run(r->sweep, job, memory, message);
    bool good = end != WORK_COMPLETE || l->completed(l->user, r->sweep, job, message);
    return good ? end : WORK_FAILED;
}

static void release(void *memory) {
    job_memory_end(memory);
}

static double weight(void *user, int index) {
    const struct running *r = user;
    return job_work(r->sweep, job_at(r->sweep, index));
}

static void tell_finished(void *user, int index) {
    const struct running *r = user;
    r->listener->finished(r->listener->user, r->sweep, job_at(r->sweep, index));
}

static void tell_advanced(void *user, double done) {
    const struct running *r = user;
    r->listener->advanced(r->listener->user, done);
}

enum work_end sweep_run(struct sweep *s, const struct sweep_listener *listener) {
    struct running r = {s, listener};
    struct work work = {.jobs = job_count(s),
                        .threads = s->threads,
                        .user = &r,
                        .run = run_job,
                        .memory_size = sizeof(struct job_memory),
                        .release = release,
                        .weight = weight,
                        .finished = tell_finished,
                        .advanced = tell_advanced,
                        .state = s->state};
    enum work_end end = work_run(&work);
    memcpy(s->message, work.message, sizeof s->message);
    return end;
}

bool sweep_allocate(struct sweep *s) {
    size_t runs = (size_t)grid_cells(s->setting.grid) * (size_t)s->seeds;
    size_t tokens = runs * (size_t)s->setting.tokens;
    s->runs = malloc(runs * sizeof *s->runs);
    s->states = malloc(tokens * sizeof *s->states);
    s->shares = malloc(tokens * sizeof *s->shares);
    s->state = calloc((size_t)job_count(s), sizeof *s->state);
    return s->runs && s->states && s->shares && s->state;
}

void sweep_free(struct sweep *s) {
    free(s->runs);
    free(s->states);
    free(s->shares);
    free(s->state);
}

void sweep_know(struct sweep *s, struct job job) {
    s->state[index_of(s, job)] = WORK_FINISHED;
}

bool sweep_known(const struct sweep *s, struct job *job) {
    int i = 0, jobs = job_count(s);
    while (i < jobs && s->state[i] != WORK_FINISHED)
        i++;
    *job = job_at(s, i);
    return i < jobs;
}

size_t sweep_place(const struct sweep *s, struct cell at, int seed) {
    return (size_t)grid_index(s->setting.grid, at) * (size_t)s->seeds + (size_t)seed;
}
