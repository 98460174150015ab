/* One job of a sweep: the runs of one seed at one width and ratio. */
#ifndef TOOL_JOB_H
#define TOOL_JOB_H

#include "sweep.h"

/* Memory that a worker uses again from job to job; starts as zeros. */
struct job_memory {
    struct recycler drawn, measured;
};

void job_memory_end(struct job_memory *memory);

/* WORK_FAILED with a message; WORK_INTERRUPTED if a signal came before the last run. */
enum work_end job_run(struct sweep *s, struct job job, struct job_memory *memory,
                      char message[MESSAGE_SIZE]);

/* Proportional to its time: weights drawn, copied, and multiplied with. */
double job_work(const struct sweep *s, struct job job);

#endif
