/* Jobs on worker threads, which an interrupt ends between two jobs. What a job makes goes to a place of its
 * own, so results do not depend on the number of threads. */
#ifndef TOOL_WORK_H
#define TOOL_WORK_H

#include "usage.h"

#include <stddef.h>

enum work_end { WORK_COMPLETE, WORK_INTERRUPTED, WORK_FAILED };

/* Waiting is what new memory holds. */
enum work_state { WORK_WAITING, WORK_RUNNING, WORK_FINISHED };

struct work {
    int jobs, threads;
    void *user;
    /* On a worker. memory is the worker's from job to job, zeros at first. */
    enum work_end (*run)(void *user, int job, void *memory, char message[MESSAGE_SIZE]);
    size_t memory_size;
    void (*release)(void *memory);
    /* What a job takes, in any unit. */
    double (*weight)(void *user, int job);
    /* On the caller's thread: each finished job once, in the order of the jobs until an interrupt; and the
     * share of the work done, several times a second. */
    void (*finished)(void *user, int job);
    void (*advanced)(void *user, double done);
    unsigned char *state; /* [jobs], enum work_state; what is finished already is not run */
    char message[MESSAGE_SIZE];
};

enum work_end work_run(struct work *w);

#endif
