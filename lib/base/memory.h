#ifndef LNSTAB_BASE_MEMORY_H
#define LNSTAB_BASE_MEMORY_H

#include <stddef.h>

#include "lnstab.h"

/* The allocator that a configuration brings and every handle made from it keeps. */
struct lnstab__allocator {
    lnstab_alloc_fn *alloc;
    lnstab_free_fn *release;
    void *user;
};

/* The C library's allocator. */
struct lnstab__allocator lnstab__memory_default(void);

/* Zeroed memory at a multiple of LNSTAB__ALIGN, or NULL. */
void *lnstab__memory_take(const struct lnstab__allocator *from, size_t size);

/* The allocator is passed by value: it may live inside the block that is given back. */
void lnstab__memory_give(struct lnstab__allocator to, void *p);

/* A cache line, and the widest vector of any current x86 or Arm machine. */
#define LNSTAB__ALIGN ((size_t)64)

#endif
