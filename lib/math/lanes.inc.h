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

/* Kernels take so many rows a step at a time: while one waits for its sum or its root, the next go on. */
enum { ROWS_AT_ONCE = 8 };

lanes_inline size_t group_end(size_t first, size_t rows) {
    return rows - first < ROWS_AT_ONCE ? rows : first + ROWS_AT_ONCE;
}

lanes_inline const real *affine_at(const void *a, size_t i) {
    return a ? (const real *)a + i : NULL;
}
