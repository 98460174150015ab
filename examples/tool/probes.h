/* What a design promises besides sizes, tried out on a model: that zeroed branches leave the stream alone,
 * and that the size of a branch's last matrix does not matter. */
#ifndef TOOL_PROBES_H
#define TOOL_PROBES_H

#include "usage.h"

#include <stdbool.h>
#include <stdint.h>

struct probes {
    bool identity_predicted, identity; /* branches with last matrix and bias 0: output = input */
    /* ATTN, FFN: whether every such sublayer has N_out, and the relative change of the last state if the
     * last matrix and bias of all of them are multiplied by 4. */
    bool scale_predicted[2];
    double scale_change[2];
};

/* What counts as no change: eps = 1e-5 in N_out leaves 1e-5 over the branch's variance. */
#define PROBES_NO_CHANGE 0.01

/* Without trying only what is predicted is told. False with a message. */
bool probes_run(const char *assignments, int64_t tokens, uint64_t seed, bool trying,
                struct probes *out, char message[MESSAGE_SIZE]);

#endif
