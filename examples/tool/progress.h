/* How far a sweep is, on stderr, with the time left. */
#ifndef TOOL_PROGRESS_H
#define TOOL_PROGRESS_H

#include <stdbool.h>

struct progress {
    bool on, terminal;
    double start, last; /* seconds of a monotonic clock               */
    double first;       /* share that was done at the start, or below 0 */
};

enum progress_wish { PROGRESS_AUTO, PROGRESS_ON, PROGRESS_OFF };

/* PROGRESS_AUTO: only if stderr is a terminal. */
void progress_start(struct progress *p, enum progress_wish wish);
/* done in 0..1, the share of the work, not of the runs. The first call says what was done before. */
void progress_show(struct progress *p, double done);
void progress_end(const struct progress *p);

#endif
