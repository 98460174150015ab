#define _POSIX_C_SOURCE 200809L

#include "sweep.h"

#include "interrupt.h"
#include "job.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* WAITING is what new memory holds. */
enum job_state { WAITING, RUNNING, FINISHED };

struct queue {
    struct sweep *sweep;
    const struct sweep_listener *listener;
    int jobs, next, running; /* running counts workers that have not returned */
    double work_done, work;
    bool failed;
    pthread_mutex_t lock;
    pthread_cond_t changed;
};

static int job_count(const struct sweep *s) {
    return s->seeds * s->setting.grid->ratios * s->setting.grid->widths;
}

/* Seeds run slowest: an interrupted sweep has whole seeds. */
static struct job job_at(const struct sweep *s, int index) {
    const struct grid *g = s->setting.grid;
    return (struct job){index / (g->ratios * g->widths), index / g->widths % g->ratios,
                        index % g->widths};
}

static int take(struct queue *q) {
    unsigned char *state = q->sweep->state;
    while (q->next < q->jobs && state[q->next] == FINISHED)
        q->next++;
    bool stop = q->failed || q->next == q->jobs || interrupted();
    if (!stop)
        state[q->next] = RUNNING;
    return stop ? -1 : q->next++;
}

static enum sweep_end run_job(struct queue *q, struct job job, struct job_memory *memory,
                              char message[MESSAGE_SIZE]) {
    const struct sweep_listener *l = q->listener;
    enum sweep_end end = job_run(q->sweep, job, memory, message);
    bool good = end != SWEEP_COMPLETE || l->completed(l->user, q->sweep, job, message);
    return good ? end : SWEEP_FAILED;
}

static void *worker(void *argument) {
    struct queue *q = argument;
    struct job_memory memory = {0};
    pthread_mutex_lock(&q->lock);
    for (int i; (i = take(q)) >= 0;) {
        struct job job = job_at(q->sweep, i);
        char message[MESSAGE_SIZE] = "";
        pthread_mutex_unlock(&q->lock);
        enum sweep_end end = run_job(q, job, &memory, message);
        pthread_mutex_lock(&q->lock);
        q->sweep->state[i] = end == SWEEP_COMPLETE ? FINISHED : WAITING;
        q->work_done += job_work(q->sweep, job);
        if (end == SWEEP_FAILED && !q->failed) {
            q->failed = true;
            memcpy(q->sweep->message, message, sizeof message);
        }
        pthread_cond_signal(&q->changed);
    }
    job_memory_end(&memory);
    q->running--;
    pthread_cond_signal(&q->changed);
    pthread_mutex_unlock(&q->lock);
    return NULL;
}

/* Tells the listener of finished jobs: up to the first unfinished one while the sweep runs, and all
 * that are left when it has ended. Called with the lock held, which listeners may take their time
 * with: a job lasts much longer than the writing of its rows. */
static int tell(struct queue *q, int from) {
    const struct sweep_listener *l = q->listener;
    const unsigned char *state = q->sweep->state;
    int i = from;
    bool ended = q->running == 0;
    for (; i < q->jobs && (ended || state[i] == FINISHED); i++)
        if (state[i] == FINISHED)
            l->finished(l->user, q->sweep, job_at(q->sweep, i));
    l->advanced(l->user, q->work_done / q->work);
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

static enum sweep_end end_of(const struct queue *q) {
    if (q->failed)
        return SWEEP_FAILED;
    for (int i = 0; i < q->jobs; i++)
        if (q->sweep->state[i] != FINISHED)
            return SWEEP_INTERRUPTED;
    return SWEEP_COMPLETE;
}

static enum sweep_end run_queue(struct queue *q, pthread_t *threads, int wanted) {
    int started = start_workers(q, threads, wanted);
    if (started == 0) {
        strcpy(q->sweep->message, "no thread could be started");
        return SWEEP_FAILED;
    }
    supervise(q);
    for (int i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
    return end_of(q);
}

enum sweep_end sweep_run(struct sweep *s, const struct sweep_listener *listener) {
    struct queue q = {.sweep = s,
                      .listener = listener,
                      .jobs = job_count(s),
                      .lock = PTHREAD_MUTEX_INITIALIZER,
                      .changed = PTHREAD_COND_INITIALIZER};
    int wanted = s->threads < q.jobs ? s->threads : q.jobs;
    pthread_t *threads = malloc((size_t)wanted * sizeof *threads);
    enum sweep_end end = SWEEP_FAILED;
    for (int i = 0; i < q.jobs; i++) {
        double work = job_work(s, job_at(s, i));
        q.work += work;
        q.work_done += s->state[i] == FINISHED ? work : 0;
    }
    if (threads)
        end = run_queue(&q, threads, wanted);
    else
        strcpy(s->message, "no memory for the sweep");
    free(threads);
    return end;
}

bool sweep_allocate(struct sweep *s) {
    size_t runs = (size_t)grid_cells(s->setting.grid) * (size_t)s->seeds;
    size_t tokens = runs * (size_t)s->setting.tokens;
    s->runs = malloc(runs * sizeof *s->runs);
    s->states = malloc(tokens * sizeof *s->states);
    s->shares = malloc(tokens * sizeof *s->shares);
    s->state = calloc((size_t)job_count(s), sizeof *s->state);
    return s->runs && s->states && s->shares && s->state;
}

void sweep_free(struct sweep *s) {
    free(s->runs);
    free(s->states);
    free(s->shares);
    free(s->state);
}

void sweep_know(struct sweep *s, struct job job) {
    const struct grid *g = s->setting.grid;
    s->state[(job.seed * g->ratios + job.ratio) * g->widths + job.width] = FINISHED;
}

bool sweep_known(const struct sweep *s, struct job *job) {
    int i = 0, jobs = job_count(s);
    while (i < jobs && s->state[i] != FINISHED)
        i++;
    *job = job_at(s, i);
    return i < jobs;
}

size_t sweep_place(const struct sweep *s, struct cell at, int seed) {
    return (size_t)grid_index(s->setting.grid, at) * (size_t)s->seeds + (size_t)seed;
}
