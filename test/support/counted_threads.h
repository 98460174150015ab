#ifndef LNSTAB_TEST_COUNTED_THREADS_H
#define LNSTAB_TEST_COUNTED_THREADS_H

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

/* Takes the place of pthread_create in the program that includes it: counts, and fails once no thread is left.
 * Needs _GNU_SOURCE, for RTLD_NEXT. */

static int threads_created, threads_left = 100000;

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *),
                   void *argument) {
    int (*real)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
    void *found = dlsym(RTLD_NEXT, "pthread_create");
    memcpy(&real, &found, sizeof real);
    if (threads_left == 0) {
        return 11;
    }
    threads_left--;
    threads_created++;
    return real(thread, attributes, start, argument);
}

#endif
