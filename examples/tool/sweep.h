/* Runs every cell of a grid for every seed, on worker threads. Results stand at fixed places, so they
 * do not depend on the number of threads. */
#ifndef TOOL_SWEEP_H
#define TOOL_SWEEP_H

#include "measure.h"
#include "setting.h"

struct sweep {
    struct setting setting;
    const struct text *text; /* NULL for Gaussian inputs */
    int seeds;
    uint64_t first_seed;
    int threads;
    struct measurement *runs; /* [cells, seeds]                    */
    double *states, *shares;  /* [cells, seeds, tokens], measure.h */
    char message[MESSAGE_SIZE];
};

enum sweep_end { SWEEP_COMPLETE, SWEEP_INTERRUPTED, SWEEP_FAILED };

/* A job is one seed at one width and ratio: all placements and depths, which share its weights. */
struct job {
    int seed, ratio, width;
};

/* What the caller hears of, on its own thread: each finished job once, in the order of the jobs until
 * an interrupt; and the share of the work done, several times a second. */
struct sweep_listener {
    void *user;
    void (*finished)(void *user, const struct sweep *s, struct job job);
    void (*advanced)(void *user, double done);
};

bool sweep_allocate(struct sweep *s);
void sweep_free(struct sweep *s);
enum sweep_end sweep_run(struct sweep *s, const struct sweep_listener *listener);

size_t sweep_place(const struct sweep *s, struct cell at, int seed);

#endif
