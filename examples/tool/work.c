#define _POSIX_C_SOURCE 200809L

#include "work.h"

#include "interrupt.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct queue {
    struct work *work;
    int next, running; /* running counts workers that have not returned */
    double done, all;
    bool failed;
    pthread_mutex_t lock;
    pthread_cond_t changed;
};

static int take(struct queue *q) {
    struct work *w = q->work;
    while (q->next < w->jobs && w->state[q->next] == WORK_FINISHED)
        q->next++;
    bool stop = q->failed || q->next == w->jobs || interrupted();
    if (!stop)
        w->state[q->next] = WORK_RUNNING;
    return stop ? -1 : q->next++;
}

static void close_job(struct queue *q, int job, enum work_end end, const char *message) {
    struct work *w = q->work;
    w->state[job] = end == WORK_COMPLETE ? WORK_FINISHED : WORK_WAITING;
    q->done += w->weight(w->user, job);
    if (end == WORK_FAILED && !q->failed) {
        q->failed = true;
        memcpy(w->message, message, MESSAGE_SIZE);
    }
    pthread_cond_signal(&q->changed);
}

static void *worker(void *argument) {
    struct queue *q = argument;
    struct work *w = q->work;
    void *memory = calloc(1, w->memory_size);
    char message[MESSAGE_SIZE] = "no memory for a worker";
    pthread_mutex_lock(&q->lock);
    for (int i; (i = take(q)) >= 0;) {
        pthread_mutex_unlock(&q->lock);
        enum work_end end = memory ? w->run(w->user, i, memory, message) : WORK_FAILED;
        pthread_mutex_lock(&q->lock);
        close_job(q, i, end, message);
    }
    if (memory)
        w->release(memory);
    free(memory);
    q->running--;
    pthread_cond_signal(&q->changed);
    pthread_mutex_unlock(&q->lock);
    return NULL;
}

/* Tells of finished jobs: up to the first unfinished one while the work goes on, and all that are left when
 * it has ended. Called with the lock held, which listeners may take their time with: a job lasts much
 * longer than what is done about it. */
static int tell(struct queue *q, int from) {
    struct work *w = q->work;
    bool ended = q->running == 0;
    int i = from;
    for (; i < w->jobs && (ended || w->state[i] == WORK_FINISHED); i++)
        if (w->state[i] == WORK_FINISHED)
            w->finished(w->user, i);
    w->advanced(w->user, q->done / q->all);
    return i;
}

static void wait_for_change(struct queue *q) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += 200000000;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_cond_timedwait(&q->changed, &q->lock, &until);
}

static void supervise(struct queue *q) {
    int told = 0;
    pthread_mutex_lock(&q->lock);
    for (told = tell(q, told); q->running > 0; told = tell(q, told))
        wait_for_change(q);
    pthread_mutex_unlock(&q->lock);
}

/* Signals stay with the caller's thread. Returns how many threads there are. */
static int start_workers(struct queue *q, pthread_t *threads, int wanted) {
    sigset_t all, old;
    int started = 0;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    pthread_mutex_lock(&q->lock);
    while (started < wanted && pthread_create(&threads[started], NULL, worker, q) == 0)
        started++;
    q->running = started;
    pthread_mutex_unlock(&q->lock);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    return started;
}

static enum work_end end_of(const struct queue *q) {
    if (q->failed)
        return WORK_FAILED;
    for (int i = 0; i < q->work->jobs; i++)
        if (q->work->state[i] != WORK_FINISHED)
            return WORK_INTERRUPTED;
    return WORK_COMPLETE;
}

static enum work_end fail(struct work *w, const char *why) {
    strcpy(w->message, why);
    return WORK_FAILED;
}

enum work_end work_run(struct work *w) {
    struct queue q = {
        .work = w, .lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};
    int wanted = w->threads < w->jobs ? w->threads : w->jobs;
    pthread_t *threads = malloc((size_t)wanted * sizeof *threads);
    for (int i = 0; i < w->jobs; i++) {
        q.all += w->weight(w->user, i);
        q.done += w->state[i] == WORK_FINISHED ? w->weight(w->user, i) : 0;
    }
    if (!threads)
        return fail(w, "no memory for the workers");
    int started = start_workers(&q, threads, wanted);
    if (started > 0)
        supervise(&q);
    for (int i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
    free(threads);
    return started > 0 ? end_of(&q) : fail(w, "no thread could be started");
}
