#include "lnstab.h"

#include "base/memory.h"
#include "math/sum.h"

struct lnstab_toy {
    int32_t size;
};

int32_t lnstab_version(void) {
    return LNSTAB_VERSION_MINOR * 100;
}

int32_t lnstab_toy_create(int32_t size, lnstab_toy **out) {
    lnstab_toy *toy = size < 0 ? NULL : lnstab__alloc(sizeof *toy);
    if (!toy)
        return LNSTAB_ERROR_ARGUMENT;
    toy->size = size;
    *out = toy;
    return LNSTAB_OK;
}

double lnstab_toy_sum(const lnstab_toy *toy, const double *x) {
    return lnstab__sum((size_t)toy->size, x);
}

void lnstab_toy_destroy(lnstab_toy *toy) {
    lnstab__free(toy);
}
