#include "model/tensor.h"

#include "base/arena.h"

size_t lnstab__tensor_count(const struct lnstab_tensor *t) {
    size_t count = 1;
    for (int32_t i = 0; i < t->rank; ++i) {
        count = lnstab__size_product(count, (size_t)*t->axis[i]);
    }
    return count;
}
