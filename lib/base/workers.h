#ifndef LNSTAB_BASE_WORKERS_H
#define LNSTAB_BASE_WORKERS_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/message.h"

/* Threads that sleep on a condition variable until their one caller has work, with all signals blocked. Before
 * they sleep they look for work as often as the pool's patience says, and yield the processor in between; so
 * does the caller for the end of their parts. NULL is a pool of the caller alone. In a child after fork, where
 * the threads are not, everything is done by the caller, part by part as the parent's threads would: the same
 * bits. */
struct lnstab__workers;

typedef void lnstab__part(const void *argument, size_t part, size_t parts);

/* Room for count threads, the caller's among them; NULL for a count of 1 or less. */
struct lnstab__workers *lnstab__workers_take(struct lnstab__arena *a, size_t count);

/* Starts the count - 1 others with that patience. Where one does not start, none is left, and the message says
 * how many did: LNSTAB_ERROR_MEMORY. */
int32_t lnstab__workers_start(struct lnstab__workers *w, size_t patience,
                              struct lnstab__message *message);

/* Joins them; in a child after fork does nothing. */
void lnstab__workers_stop(struct lnstab__workers *w);

size_t lnstab__workers_count(const struct lnstab__workers *w);

/* Calls function for each part 0..parts-1 and returns when all are done. Part p is always done by thread p
 * mod count, the caller being 0. function does not call this again. */
void lnstab__workers_run(struct lnstab__workers *w, size_t parts, lnstab__part *function,
                         const void *argument);

#endif
