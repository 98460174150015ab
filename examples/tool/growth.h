/* How the size of the states grows as a design is made deeper, by the mean-field recursion. */
#ifndef TOOL_GROWTH_H
#define TOOL_GROWTH_H

#include "lnstab.h"

enum growth_class { GROWTH_BOUNDED, GROWTH_LOGARITHMIC, GROWTH_POWER, GROWTH_EXPONENTIAL };

struct growth {
    enum growth_class class;
    double power; /* of the depth, of the increments: 1 is linear; GROWTH_POWER only        */
    double
        rate; /* ln q for each layer more; GROWTH_EXPONENTIAL only: infinity if beyond double, NaN if
                     faster than any power that was tried, and not exponential there */
};

/* From q at the last layer of models D, 2D, 4D and 8D deep. A class is told apart by the increments of
 * q from one depth to the next: they fall by a constant factor (bounded), are alike (logarithmic), grow
 * by 2^p (a power), or their logarithms double (exponential). c's layers are changed and put back. */
struct growth growth_of(lnstab_config *c, int64_t layers, int64_t tokens);

/* "bounded", "logarithmic", "linear", "power 2.0", "exponential, x1.8 a layer", ... */
void growth_words(struct growth g, char *words, size_t size);

#endif
