#define _POSIX_C_SOURCE 200809L

#include "interrupt.h"

#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>

/* Lock-free, so the handler may write it and any worker may read it. */
static atomic_int flag;

static void on_signal(int number) {
    (void)number;
    atomic_store(&flag, 1);
}

void interrupt_catch(void) {
    struct sigaction action = {.sa_handler = on_signal};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

bool interrupted(void) {
    return atomic_load(&flag);
}
