#include "recycler.h"

#include <stdint.h>
#include <stdlib.h>

/* A block starts with its size, on a page of its own so that every alignment up to a page is met. */
#define PAGE 4096

/* Smaller ones, as configurations, are left to the C library. */
#define LEAST (1 << 20)

static void *usable(void *block) {
    return (char *)block + PAGE;
}

static size_t *size_of(void *block) {
    return block;
}

void *recycler_alloc(void *user, size_t size, size_t align) {
    struct recycler *r = user;
    if (align > PAGE || size > SIZE_MAX - 2 * PAGE)
        return NULL;
    if (r->kept && size >= LEAST && size <= r->size) {
        void *block = r->kept;
        r->kept = NULL;
        return usable(block);
    }
    size_t whole = (size + PAGE - 1) / PAGE * PAGE;
    void *block = aligned_alloc(PAGE, PAGE + whole);
    if (!block)
        return NULL;
    *size_of(block) = whole;
    return usable(block);
}

void recycler_release(void *user, void *p) {
    struct recycler *r = user;
    void *block = (char *)p - PAGE;
    size_t size = *size_of(block);
    if (size < LEAST || (r->kept && size <= r->size)) {
        free(block);
        return;
    }
    free(r->kept);
    r->kept = block;
    r->size = size;
}

void recycler_end(struct recycler *r) {
    free(r->kept);
    r->kept = NULL;
}
