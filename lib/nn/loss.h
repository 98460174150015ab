#ifndef LNSTAB_NN_LOSS_H
#define LNSTAB_NN_LOSS_H

#include <stdint.h>

#include "nn/run.h"

/* The mean over the counted tokens of the cross-entropy of logits with the target, smoothed by a share
 * of the uniform distribution; ignore_index is not counted. Other targets are in range: who calls has
 * checked. */
struct lnstab__loss {
    size_t classes;
    int64_t ignore_index;
    double smoothing;
};

/* Returns the mean, 0 if none is counted; each[rows], of the run's type, gets every token's own loss, 0
 * where it is not counted. */
double lnstab__loss_forward(const struct lnstab__loss *loss, const struct lnstab__run *run,
                            const void *logits, const int32_t *targets, void *each,
                            int64_t *counted);

/* d mean / d logits; rows that are not counted get 0. out does not overlap logits. */
void lnstab__loss_backward(const struct lnstab__loss *loss, const struct lnstab__run *run,
                           const void *logits, const int32_t *targets, int64_t counted, void *out);

#endif
