#ifndef LNSTAB_NN_FFN_H
#define LNSTAB_NN_FFN_H

#include "nn/branch.h"
#include "nn/linear.h"

/* F(x) = W_2 h + b_2, h = act(W_1 x + b_1), or gated, h = act(W_1 x + b_1) (W_3 x + b_3) entry by entry
 * where w_3.weight.data is not NULL. pre, up: what stands before the activation and beside it. pre is
 * the same memory as h for an ungated ReLU, whose derivative h tells as well. */
struct lnstab__ffn {
    enum lnstab__activation activation;
    struct lnstab__linear w_1, w_2, w_3;
    struct lnstab__state pre, up, hidden; /* rows x ffn_width */
};

extern const struct lnstab__branch lnstab__ffn_branch; /* self: struct lnstab__ffn */

#endif
