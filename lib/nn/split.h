#ifndef LNSTAB_NN_SPLIT_H
#define LNSTAB_NN_SPLIT_H

#include "nn/run.h"

/* How the work of a pass is shared by the run's workers: so many items that do not touch each other's
 * outputs, cut into spans of neighbours, a span a part. The cut follows from the sizes and the number of
 * workers alone, so that two runs give the same bits. */

struct lnstab__span {
    size_t part, first, last; /* items first..last-1 */
};

typedef void lnstab__span_work(const void *argument, struct lnstab__span span);

/* A part is LNSTAB__GRAIN units of work at least, a unit being what a row kernel does with an element, about
 * a nanosecond. To wake a worker and wait for it took 5 to 17 microseconds on 2 cores, median 7. */
#define LNSTAB__GRAIN ((size_t)16384)

/* Into how many parts: 1 where there is too little to do, or nobody to share it with. */
size_t lnstab__split_parts(const struct lnstab__run *run, size_t items, size_t units_each);

/* Does the work and returns in how many parts. */
size_t lnstab__split(const struct lnstab__run *run, size_t items, size_t units_each,
                     lnstab__span_work *work, const void *argument);

/* The same run on the thread at hand alone: for what is inside a part already. */
struct lnstab__run lnstab__run_alone(const struct lnstab__run *run);

/* Kernels of elements, on rows x width of them: out = a x;  out = a x + b y */
void lnstab__split_scale(const struct lnstab__run *run, size_t rows, size_t width, double a,
                         const void *x, void *out);
void lnstab__split_add_scaled(const struct lnstab__run *run, size_t rows, size_t width, double a,
                              const void *x, double b, const void *y, void *out);

/* Sums over all rows: each part has a room of 2 columns doubles for its own, and a spare array for the
 * kernel to add them to, which nobody reads; then count sums, from offset on in each room, are added in the
 * order of the parts, and their total to sum, rounded once. */
double *lnstab__part_room(const struct lnstab__run *run, size_t part);
void *lnstab__part_spare(const struct lnstab__run *run, size_t part);
void lnstab__add_rooms(const struct lnstab__run *run, size_t parts, size_t offset, size_t count,
                       void *sum);

#endif
