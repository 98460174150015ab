#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

static void *take_from_c(void *user, size_t size, size_t align) {
    (void)user;
    size_t rounded = (size + align - 1) / align * align; /* aligned_alloc wants a multiple */
    return rounded < size ? NULL : aligned_alloc(align, rounded);
}

static void give_to_c(void *user, void *p) {
    (void)user;
    free(p);
}

struct lnstab__allocator lnstab__memory_default(void) {
    return (struct lnstab__allocator){take_from_c, give_to_c, NULL};
}

void *lnstab__memory_take(const struct lnstab__allocator *from, size_t size) {
    void *p = from->alloc(from->user, size, LNSTAB__ALIGN);
    return p ? memset(p, 0, size) : NULL;
}

void lnstab__memory_give(struct lnstab__allocator to, void *p) {
    if (p) {
        to.release(to.user, p);
    }
}
