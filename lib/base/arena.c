#include "base/arena.h"

#include <stdint.h>

#include "base/memory.h"

size_t lnstab__size_product(size_t a, size_t b) {
    return b != 0 && a > SIZE_MAX / b ? SIZE_MAX : a * b;
}

size_t lnstab__size_sum(size_t a, size_t b) {
    return a > SIZE_MAX - b ? SIZE_MAX : a + b;
}

void *lnstab__arena_take(struct lnstab__arena *a, size_t count, size_t item_size) {
    size_t bytes = lnstab__size_product(count, item_size);
    size_t padded = lnstab__size_sum(bytes, LNSTAB__ALIGN - 1);
    size_t start = a->used;
    if (padded != SIZE_MAX) {
        padded -= padded % LNSTAB__ALIGN;
    }
    a->used = lnstab__size_sum(start, padded);
    return a->base ? a->base + start : NULL;
}
