#ifndef LNSTAB_NN_LOSS_H
#define LNSTAB_NN_LOSS_H

#include <stdint.h>

#include "nn/run.h"

/* The mean over the counted tokens of -log softmax(logits)[target]; ignore_index is not counted. Other
 * targets are in range: who calls has checked. */
struct lnstab__loss {
    size_t classes;
    int64_t ignore_index;
};

/* Returns the mean, 0 if none is counted. */
double lnstab__loss_forward(const struct lnstab__loss *loss, const struct lnstab__run *run,
                            const void *logits, const int32_t *targets, int64_t *counted);

/* d mean / d logits; rows that are not counted get 0. out does not overlap logits. */
void lnstab__loss_backward(const struct lnstab__loss *loss, const struct lnstab__run *run,
                           const void *logits, const int32_t *targets, int64_t counted, void *out);

#endif
