/* base/workers.h: every part once and where it belongs, asleep in between, deaf to signals, and what is
 * left of it in a child or when a thread does not start. */

#define _GNU_SOURCE /* RTLD_NEXT */

#include "base/workers.h"

#include <check.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/memory.h"
#include "lnstab.h"
#include "support/counted_threads.h"
#include "support/main.h"

/* ---- the C library's own, counted too ---- */

static int joined;
static atomic_int slept, asleep; /* times, and how many threads are now */

int pthread_join(pthread_t thread, void **result) {
    int (*real)(pthread_t, void **);
    void *found = dlsym(RTLD_NEXT, "pthread_join");
    memcpy(&real, &found, sizeof real);
    joined++;
    return real(thread, result);
}

int pthread_cond_wait(pthread_cond_t *change, pthread_mutex_t *lock) {
    int (*real)(pthread_cond_t *, pthread_mutex_t *);
    void *found = dlsym(RTLD_NEXT, "pthread_cond_wait");
    memcpy(&real, &found, sizeof real);
    slept++;
    asleep++;
    const int result = real(change, lock);
    asleep--;
    return result;
}

/* ---- a pool ---- */

struct bench {
    void *block;
    struct lnstab__workers *workers;
    struct lnstab__message message;
    int32_t status;
};

static struct bench patient_bench(size_t count, size_t patience) {
    struct bench b;
    struct lnstab__arena measured = {0};
    ck_assert_ptr_null(lnstab__workers_take(&measured, count));
    memset(&b, 0, sizeof b);
    b.block = aligned_alloc(LNSTAB__ALIGN, measured.used + LNSTAB__ALIGN);
    memset(b.block, 0, measured.used + LNSTAB__ALIGN);
    struct lnstab__arena arena = {.base = b.block};
    threads_created = joined = 0;
    b.workers = lnstab__workers_take(&arena, count);
    ck_assert_uint_eq(arena.used, measured.used);
    b.status = lnstab__workers_start(b.workers, patience, &b.message);
    return b;
}

static struct bench bench_of(size_t count) {
    return patient_bench(count, 0);
}

static void bench_end(struct bench *b) {
    lnstab__workers_stop(b->workers);
    free(b->block);
}

enum { MOST = 64 };

struct record {
    int times[MOST];
    size_t parts[MOST];
    pthread_t by[MOST];
};

static void note(const void *argument, size_t part, size_t parts) {
    struct record *r = *(struct record *const *)argument;
    r->times[part]++;
    r->parts[part] = parts;
    r->by[part] = pthread_self();
}

static struct record record_of(struct lnstab__workers *w, size_t parts) {
    struct record r, *to = &r;
    memset(&r, 0, sizeof r);
    lnstab__workers_run(w, parts, note, &to);
    return r;
}

START_TEST(test_nobody_but_the_caller) {
    for (size_t count = 0; count < 2; ++count) {
        struct bench b = bench_of(count);
        ck_assert_ptr_null(b.workers);
        ck_assert_int_eq(b.status, LNSTAB_OK);
        ck_assert_uint_eq(lnstab__workers_count(b.workers), 1);
        const struct record r = record_of(b.workers, 5);
        for (size_t part = 0; part < MOST; ++part) {
            ck_assert_int_eq(r.times[part], part < 5);
            ck_assert(part >= 5 || pthread_equal(r.by[part], pthread_self()));
        }
        ck_assert_int_eq(threads_created, 0);
        bench_end(&b);
    }
}
END_TEST

/* Part p by thread p mod count, the same thread each time, and p = 0 by the caller. */
START_TEST(test_every_part_once_by_its_own_thread) {
    static const size_t counts[] = {2, 3, 7}, patiences[] = {0, 1, 100};
    const size_t count = counts[_i % 3];
    struct bench b = patient_bench(count, patiences[_i / 3]);
    ck_assert_int_eq(b.status, LNSTAB_OK);
    ck_assert_uint_eq(lnstab__workers_count(b.workers), count);
    ck_assert_int_eq(threads_created, (int)count - 1);
    const struct record first = record_of(b.workers, MOST);
    for (size_t round = 0; round < 300; ++round) {
        const size_t parts = round % (MOST + 1);
        const struct record r = record_of(b.workers, parts);
        for (size_t part = 0; part < MOST; ++part) {
            ck_assert_int_eq(r.times[part], part < parts);
            if (part < parts) {
                const pthread_t own = parts == 1 ? pthread_self() : first.by[part % count];
                ck_assert(pthread_equal(r.by[part], own));
                ck_assert_uint_eq(r.parts[part], parts);
            }
        }
    }
    for (size_t i = 0; i < count; ++i) {
        ck_assert(!pthread_equal(first.by[i], pthread_self()) == (i != 0));
        ck_assert(i == 0 || !pthread_equal(first.by[i], first.by[i - 1]));
    }
    bench_end(&b);
    ck_assert_int_eq(joined, (int)count - 1);
}
END_TEST

/* Without end to its patience nobody sleeps, whatever is to be waited for. */
START_TEST(test_awake) {
    struct bench b = patient_bench(3, SIZE_MAX);
    slept = 0;
    for (size_t parts = 0; parts < 200; ++parts) {
        (void)record_of(b.workers, parts % MOST);
    }
    bench_end(&b);
    ck_assert_int_eq(slept, 0);
}
END_TEST

/* With nothing to do three workers of any patience fall asleep, and 0.2 s of it take the process under a tenth. */
START_TEST(test_asleep) {
    struct bench b = patient_bench(4, _i ? 100 : 0);
    const struct timespec a_while = {0, 200000000}, moment = {0, 1000000};
    (void)record_of(b.workers, 4);
    for (int i = 0; i < 5000 && asleep < 3; ++i) {
        nanosleep(&moment, NULL);
    }
    ck_assert_int_eq(asleep, 3);
    const clock_t before = clock();
    nanosleep(&a_while, NULL);
    ck_assert_int_lt((int)(clock() - before), CLOCKS_PER_SEC / 50);
    bench_end(&b);
}
END_TEST

static volatile sig_atomic_t handled;
static pthread_t handler_thread;

static void handle(int signal) {
    (void)signal;
    handler_thread = pthread_self();
    handled = 1;
}

/* A signal that the main thread does not take for the moment stays pending, since no worker takes it. Returns 0
 * if so. */
static int send_signal(void) {
    const struct sigaction action = {.sa_handler = handle};
    sigset_t one, before, after, pending;
    int wrong = 0;
    pthread_sigmask(SIG_SETMASK, NULL, &before);
    struct bench b = bench_of(3);
    pthread_sigmask(SIG_SETMASK, NULL, &after);
    for (int s = 1; s < 32; ++s) {
        wrong |= sigismember(&before, s) != sigismember(&after, s) ? 1 : 0;
    }
    sigaction(SIGUSR1, &action, NULL);
    sigemptyset(&one);
    sigaddset(&one, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &one, NULL);
    kill(getpid(), SIGUSR1);
    for (int i = 0; i < 100; ++i) {
        (void)record_of(b.workers, 3);
    }
    sigpending(&pending);
    wrong |= handled || !sigismember(&pending, SIGUSR1) ? 2 : 0;
    pthread_sigmask(SIG_UNBLOCK, &one, NULL);
    wrong |= !handled || !pthread_equal(handler_thread, pthread_self()) ? 4 : 0;
    bench_end(&b);
    return wrong;
}

/* In a process without the threads that a BLAS may have, which block nothing. */
START_TEST(test_signals_are_the_hosts) {
    int status = -1;
    const pid_t child = fork();
    if (child == 0) {
        _exit(send_signal());
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == 0, "status %x", (unsigned)status);
}
END_TEST

/* 0 if the child did every part itself and took its leave of no thread. */
static int use_in_child(struct bench *b) {
    const int before = threads_created + joined;
    const struct record r = record_of(b->workers, 5);
    int wrong = 0;
    for (size_t part = 0; part < 5; ++part) {
        wrong |=
            r.times[part] != 1 || r.parts[part] != 5 || !pthread_equal(r.by[part], pthread_self());
    }
    bench_end(b);
    return wrong || threads_created + joined != before;
}

START_TEST(test_after_fork) {
    int status = -1;
    struct bench b = bench_of(3);
    (void)record_of(b.workers, 3);
    const pid_t child = fork();
    if (child == 0) {
        signal(SIGALRM, SIG_DFL); /* Check has one of its own, which ends more than the child */
        alarm(20);                /* one that waits for threads that are not there ends */
        _exit(use_in_child(&b));
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == 0, "status %d", status);
    ck_assert_int_eq(record_of(b.workers, 3).times[2], 1);
    bench_end(&b);
    ck_assert_int_eq(joined, 2);
}
END_TEST

START_TEST(test_a_thread_that_does_not_start) {
    for (threads_left = 0; threads_left < 4;) {
        const int started = threads_left;
        char wanted[100];
        struct bench b = bench_of(5);
        ck_assert_int_eq(b.status, LNSTAB_ERROR_MEMORY);
        snprintf(wanted, sizeof wanted, "threads 5: only %d of 4 more threads could be started",
                 started);
        ck_assert_str_eq(b.message.text, wanted);
        ck_assert_int_eq(threads_created, started);
        ck_assert_int_eq(joined, started);
        free(b.block);
        threads_left = started + 1;
    }
    threads_left = 1000;
}
END_TEST

int main(void) {
    Suite *suite = suite_create("workers");
    TCase *cases = tcase_create("workers");
    tcase_add_test(cases, test_nobody_but_the_caller);
    tcase_add_loop_test(cases, test_every_part_once_by_its_own_thread, 0, 9);
    tcase_add_test(cases, test_awake);
    tcase_add_loop_test(cases, test_asleep, 0, 2);
    tcase_add_test(cases, test_signals_are_the_hosts);
    tcase_add_test(cases, test_after_fork);
    tcase_add_test(cases, test_a_thread_that_does_not_start);
    suite_add_tcase(suite, cases);
    return run_suite(suite);
}
