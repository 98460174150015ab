/* One job of a sweep: the runs of one seed at one width and ratio. */
#ifndef TOOL_JOB_H
#define TOOL_JOB_H

#include "sweep.h"

/* SWEEP_FAILED with a message; SWEEP_INTERRUPTED if a signal came before the last run. */
enum sweep_end job_run(struct sweep *s, struct job job, char message[MESSAGE_SIZE]);

/* Proportional to its time: weights drawn, copied, and multiplied with. */
double job_work(const struct sweep *s, struct job job);

#endif
