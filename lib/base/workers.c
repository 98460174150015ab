#define _POSIX_C_SOURCE 200809L /* signal masks and getpid are not of C11 */

#include "base/workers.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>

#include "lnstab.h"

enum state { ASLEEP, CALLED, DISMISSED };

struct worker {
    pthread_t thread;
    pthread_cond_t called;
    size_t place; /* 1..count-1 */
    atomic_size_t state;
    struct lnstab__workers *pool;
};

struct job {
    lnstab__part *function;
    const void *argument;
    size_t parts;
};

/* Who waits for a state or for unfinished sleeps only with the lock, having looked at it once more: a state changes
 * under the lock, unfinished before the lock is taken to tell of it. */
struct lnstab__workers {
    pthread_mutex_t lock;
    pthread_cond_t finished;
    struct job job;
    atomic_size_t unfinished; /* workers that are still at the job */
    size_t count, patience;
    pid_t owner; /* the process that has the threads */
    struct worker *others;
};

struct lnstab__workers *lnstab__workers_take(struct lnstab__arena *a, size_t count) {
    if (count <= 1) {
        return NULL;
    }
    struct lnstab__workers *w = lnstab__arena_take(a, 1, sizeof *w);
    struct worker *others = lnstab__arena_take(a, count - 1, sizeof *others);
    if (w) {
        w->count = count;
        w->others = others;
    }
    return w;
}

size_t lnstab__workers_count(const struct lnstab__workers *w) {
    return w ? w->count : 1;
}

static void do_parts(const struct job *job, size_t first, size_t step) {
    for (size_t part = first; part < job->parts; part += step) {
        job->function(job->argument, part, job->parts);
    }
}

/* Returns when *value is, or is not, wanted: at first awake, then asleep. */
static void await(struct lnstab__workers *w, pthread_cond_t *change, atomic_size_t *value,
                  size_t wanted, int is) {
    for (size_t i = 0; i < w->patience; ++i) {
        if ((atomic_load(value) == wanted) == is) {
            return;
        }
        sched_yield();
    }
    pthread_mutex_lock(&w->lock);
    while ((atomic_load(value) == wanted) != is) {
        pthread_cond_wait(change, &w->lock);
    }
    pthread_mutex_unlock(&w->lock);
}

static void *serve(void *self) {
    struct worker *me = self;
    struct lnstab__workers *w = me->pool;
    for (;;) {
        await(w, &me->called, &me->state, ASLEEP, 0);
        if (atomic_load(&me->state) == DISMISSED) {
            return NULL;
        }
        do_parts(&w->job, me->place, w->count); /* run changes it only when all have finished */
        atomic_store(&me->state, ASLEEP);
        if (atomic_fetch_sub(&w->unfinished, 1) == 1) {
            pthread_mutex_lock(&w->lock);
            pthread_cond_signal(&w->finished);
            pthread_mutex_unlock(&w->lock);
        }
    }
}

/* Tells the first of the others, so many. */
static void call(struct lnstab__workers *w, size_t others, enum state state) {
    atomic_store(&w->unfinished, others);
    pthread_mutex_lock(&w->lock);
    for (size_t i = 0; i < others; ++i) {
        atomic_store(&w->others[i].state, state);
    }
    pthread_mutex_unlock(&w->lock);
    for (size_t i = 0; i < others; ++i) {
        pthread_cond_signal(&w->others[i].called);
    }
}

static void dismiss(struct lnstab__workers *w, size_t started) {
    call(w, started, DISMISSED);
    for (size_t i = 0; i < started; ++i) {
        pthread_join(w->others[i].thread, NULL);
        pthread_cond_destroy(&w->others[i].called);
    }
    pthread_cond_destroy(&w->finished);
    pthread_mutex_destroy(&w->lock);
}

/* Returns how many of the others there are now. */
static size_t start_others(struct lnstab__workers *w) {
    size_t started = 0;
    for (; started < w->count - 1; ++started) {
        struct worker *worker = &w->others[started];
        *worker =
            (struct worker){.called = PTHREAD_COND_INITIALIZER, .place = started + 1, .pool = w};
        if (pthread_create(&worker->thread, NULL, serve, worker) != 0) {
            break;
        }
    }
    return started;
}

int32_t lnstab__workers_start(struct lnstab__workers *w, size_t patience,
                              struct lnstab__message *message) {
    sigset_t all, before;
    if (!w) {
        return LNSTAB_OK;
    }
    w->lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    w->finished = (pthread_cond_t)PTHREAD_COND_INITIALIZER;
    w->owner = getpid();
    w->patience = patience;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const size_t started = start_others(w);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (started < w->count - 1) {
        dismiss(w, started);
        return lnstab__fail(message, LNSTAB_ERROR_MEMORY,
                            "threads %zu: only %zu of %zu more threads could be started", w->count,
                            started, w->count - 1);
    }
    return LNSTAB_OK;
}

static int has_threads(const struct lnstab__workers *w) {
    return w && w->owner == getpid();
}

void lnstab__workers_stop(struct lnstab__workers *w) {
    if (has_threads(w)) {
        dismiss(w, w->count - 1);
    }
}

void lnstab__workers_run(struct lnstab__workers *w, size_t parts, lnstab__part *function,
                         const void *argument) {
    const struct job job = {function, argument, parts};
    if (parts <= 1 || !has_threads(w)) {
        do_parts(&job, 0, 1);
        return;
    }
    w->job = job;
    call(w, (parts < w->count ? parts : w->count) - 1, CALLED);
    do_parts(&job, 0, w->count);
    await(w, &w->finished, &w->unfinished, 0, 1);
}
