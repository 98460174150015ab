#ifndef LNSTAB_NN_FFN_H
#define LNSTAB_NN_FFN_H

#include "nn/branch.h"
#include "nn/linear.h"

/* F(x) = W_2 ReLU(W_1 x + b_1) + b_2. The derivative of ReLU at 0 is taken as 0. */
struct lnstab__ffn {
    struct lnstab__linear w_1, w_2;
    struct lnstab__state hidden; /* h, rows x ffn_width */
};

extern const struct lnstab__branch lnstab__ffn_branch; /* self: struct lnstab__ffn */

#endif
