#define _POSIX_C_SOURCE 200809L

#include "progress.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void progress_start(struct progress *p, enum progress_wish wish) {
    p->terminal = isatty(STDERR_FILENO);
    p->on = wish == PROGRESS_ON || (wish == PROGRESS_AUTO && p->terminal);
    p->start = p->last = now();
    p->first = -1;
}

/* A terminal's line is rewritten ten times a second; elsewhere a line a second is enough. */
void progress_show(struct progress *p, double done) {
    double time = now(), spent = time - p->start;
    if (p->first < 0)
        p->first = done;
    if (!p->on || done <= p->first || time - p->last < (p->terminal ? 0.1 : 1.0))
        return;
    p->last = time;
    fprintf(stderr, "%s%3.0f %%, %.0f s left%s", p->terminal ? "\r" : "", 100 * done,
            spent * (1 - done) / (done - p->first), p->terminal ? "   " : "\n");
}

void progress_end(const struct progress *p) {
    if (p->on && p->terminal)
        fputs("\r                         \r", stderr);
}
