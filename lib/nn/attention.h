#ifndef LNSTAB_NN_ATTENTION_H
#define LNSTAB_NN_ATTENTION_H

#include "nn/branch.h"
#include "nn/linear.h"
#include "nn/norm.h"
#include "nn/rotary.h"

/* For each head h, on its head_dim columns, with the keys and values of head h/group,
 *     q_hat = turned( N_q(q) ),  k_hat = turned( N_k(k) ),
 *     S = q_hat k_hat^T / sqrt(head_dim),  capped: S = cap tanh(S/cap),
 *     P = softmax of S over the keys a query may see,  O = P V,
 * F(x) = O W_O^T + b_O, or O itself if w_o.weight.data is NULL. With W_Q = W_K = 0, P is the plain
 * average over the visible tokens (Xiong 2020's setting).
 *
 * q_hat is the same memory as q where nothing stands between them, and k_hat as k. Weights that
 * are not kept (weights.data NULL) are made anew wherever they are read, a panel at a time (nn/panel.h). */
struct lnstab__attention {
    size_t heads, kv_heads, head_dim;
    size_t panel_rows; /* of the scores that are at work at once */
    int causal, weights_are_kept;
    int output_is_remade; /* by backward, from the weights */
    double soft_cap;      /* 0: none */
    struct lnstab__linear w_q, w_k, w_v, w_o;
    struct lnstab__norm_op norm_q, norm_k;
    struct lnstab__rotary rotary;
    struct lnstab__state q, k, v, q_hat, k_hat, weights,
        output; /* output: O, the heads side by side */
};

/* Numbers in each array of the workspace that holds panels of scores: for so many batch x heads. */
size_t lnstab__attention_room(size_t tokens, size_t heads, size_t workers);

/* Of panels in a model: products with so many rows run near a BLAS's peak, and 1024 columns of float32 stay in a
 * second-level cache. */
enum { LNSTAB__PANEL_ROWS = 128 };

extern const struct lnstab__branch lnstab__attention_branch; /* self: struct lnstab__attention */

#endif
