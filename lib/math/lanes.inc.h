/* Template: the vector that kernels are written in: lanes_count doubles, or one where that is not defined; and
 * what the two share. */

#ifdef lanes_count
#include "math/lanes_vector.inc.h"
#else
#include "math/lanes_base.inc.h"
#endif

static inline size_t lanes_left(size_t n, size_t i) {
    return n - i < LANES ? n - i : LANES;
}

static inline const real *affine_at(const void *a, size_t i) {
    return a ? (const real *)a + i : NULL;
}

static inline lanes lanes_clamp(lanes x, double low, double high) {
    x = lanes_if_less(x, lanes_of(low), lanes_of(low), x);
    return lanes_if_less(lanes_of(high), x, lanes_of(high), x);
}
