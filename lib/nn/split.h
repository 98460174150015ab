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

/* A part is a grain of work at least, in units of what a row kernel does with an element, about a nanosecond. To
 * wake a worker and wait for it takes 5 to 17 microseconds, and up to 60 where a processor that idles is the host's
 * again; one that is still awake begins in less than one. Workers stay awake, for some 0.1 ms, where the
 * processors are theirs because they do the products too: elsewhere a BLAS has threads that want them. */
#define LNSTAB__GRAIN ((size_t)32768)
struct lnstab__pace {
    size_t patience, grain; /* of base/workers.h; units */
};

struct lnstab__pace lnstab__pace_of(int split_products);

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

/* Sums over all rows: each part has a room of 2 columns doubles for its own; then count sums, from offset on in
 * each room, are added in the order of the parts, and their total to sum, rounded once. */
double *lnstab__part_room(const struct lnstab__run *run, size_t part);
void lnstab__add_rooms(const struct lnstab__run *run, size_t parts, size_t offset, size_t count,
                       void *sum);

#endif
