/* Runs every cell of a grid for every seed, on worker threads. Results stand at fixed places, so they
 * do not depend on the number of threads. */
#ifndef TOOL_SWEEP_H
#define TOOL_SWEEP_H

#include "measure.h"
#include "setting.h"
#include "work.h"

struct sweep {
    struct setting setting;
    const struct text *text; /* NULL for Gaussian inputs */
    int seeds;
    uint64_t first_seed;
    int threads;
    struct measurement *runs; /* [cells, seeds]                    */
    double *states, *shares;  /* [cells, seeds, tokens], measure.h */
    unsigned char *state;     /* [jobs], enum work_state           */
    char message[MESSAGE_SIZE];
};

/* A job is one seed at one width and ratio: all placements and depths, which share its weights. */
struct job {
    int seed, ratio, width;
};

/* What the caller hears of. On the thread that ran it, and while others run: each job as it completes;
 * false with a message fails the sweep. On the caller's own thread: each finished job once, those that
 * were known before too, in the order of the jobs until an interrupt; and the share of the work done,
 * several times a second. */
struct sweep_listener {
    void *user;
    bool (*completed)(void *user, const struct sweep *s, struct job job,
                      char message[MESSAGE_SIZE]);
    void (*finished)(void *user, const struct sweep *s, struct job job);
    void (*advanced)(void *user, double done);
};

bool sweep_allocate(struct sweep *s);
void sweep_free(struct sweep *s);
enum work_end sweep_run(struct sweep *s, const struct sweep_listener *listener);

/* The results of job are there already: it is not run. */
void sweep_know(struct sweep *s, struct job job);
/* The first job whose results are there; false if there is none. */
bool sweep_known(const struct sweep *s, struct job *job);

size_t sweep_place(const struct sweep *s, struct cell at, int seed);

#endif
