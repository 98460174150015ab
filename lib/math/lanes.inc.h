/* Template: the vector that kernels are written in: lanes_count doubles, or one where that is not defined; and
 * what the two share. */

#ifdef lanes_count
#include "math/lanes_vector.inc.h"
#else
#include "math/lanes_base.inc.h"
#endif

/* Does body for i = 0, LANES, 2 LANES, ... below width, n entries at a time: LANES, which a compiler sees to be
 * that many, and what is left over at the end. */
#define FOR_LANES(i, n, width, body)                                                               \
    do {                                                                                           \
        size_t i = 0;                                                                              \
        for (; i + LANES <= (width); i += LANES) {                                                 \
            const size_t n = LANES;                                                                \
            body                                                                                   \
        }                                                                                          \
        if (i < (width)) {                                                                         \
            const size_t n = (width)-i;                                                            \
            body                                                                                   \
        }                                                                                          \
    } while (0)

lanes_inline const real *affine_at(const void *a, size_t i) {
    return a ? (const real *)a + i : NULL;
}
