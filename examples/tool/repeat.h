/* The numbers of a run are those of its BLAS, its processor and its mathematical library, which have no
 * complete names: whether they are the same as before is found out by doing a run again. */
#ifndef TOOL_REPEAT_H
#define TOOL_REPEAT_H

#include "sweep.h"

/* Runs the first placement and depth of a job again, to the side. WORK_COMPLETE if the measurement is
 * the one that the sweep holds, to the last bit; WORK_FAILED with a message. */
enum work_end repeat_run(const struct sweep *s, struct job job, char message[MESSAGE_SIZE]);

#endif
