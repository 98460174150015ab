#include "base/memory.h"

#include <stdlib.h>

void *lnstab__alloc(size_t size) {
    return aligned_alloc(16, (size + 15) / 16 * 16);
}

void lnstab__free(void *p) {
    free(p);
}
