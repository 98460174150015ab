#ifndef LNSTAB_NN_ATTENTION_H
#define LNSTAB_NN_ATTENTION_H

#include "nn/branch.h"
#include "nn/linear.h"

/* For each head h, on its head_dim = width/heads columns,
 *     S = Q_h K_h^T / sqrt(head_dim),  P = softmax of S over the keys a query may see,  O_h = P V_h,
 * F(x) = O W_O^T + b_O, or O itself if w_o.weight.data is NULL. With W_Q = W_K = 0, P is the plain
 * average over the visible tokens (Xiong 2020's setting). */
struct lnstab__attention {
    size_t heads, head_dim;
    int causal;
    struct lnstab__linear w_q, w_k, w_v, w_o;
    struct lnstab__state q, k, v, weights, output; /* output: O, the heads side by side */
};

extern const struct lnstab__branch lnstab__attention_branch; /* self: struct lnstab__attention */

#endif
