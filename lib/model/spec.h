#ifndef LNSTAB_MODEL_SPEC_H
#define LNSTAB_MODEL_SPEC_H

#include "math/kernels.h"
#include "model/config.h"

/* Choices, in the order of their keys' lists. */
enum lnstab__qk_norm { LNSTAB__QK_NORM_NONE, LNSTAB__QK_NORM_HEAD, LNSTAB__QK_NORM_FULL };
enum lnstab__positions {
    LNSTAB__POSITIONS_NONE,
    LNSTAB__LEARNED,
    LNSTAB__SINUSOIDAL,
    LNSTAB__ROTARY
};
enum lnstab__gradients_of { LNSTAB__GRADIENTS_OF_ALL, LNSTAB__GRADIENTS_OF_W_2 };
enum lnstab__head { LNSTAB__HEAD_NONE, LNSTAB__HEAD_SEPARATE, LNSTAB__HEAD_TIED };
enum lnstab__recompute {
    LNSTAB__RECOMPUTE_NONE,
    LNSTAB__RECOMPUTE_ATTENTION,
    LNSTAB__RECOMPUTE_NONLINEAR,
    LNSTAB__RECOMPUTE_BLOCKS
};

/* A configuration made definite: every key resolved, every combination checked. */
struct lnstab__spec {
    int64_t layers, width, ffn_width, heads, kv_heads, vocab, max_batch, max_tokens, ignore_index,
        krylov, threads, gradients_from;
    int32_t dtype;
    const struct lnstab__kernels *kernels; /* of dtype, for this processor */
    enum lnstab__norm_kind norm;
    double eps, soft_cap, embed_scale, rotary_base, label_smoothing;
    struct lnstab__value values[LNSTAB__KEYS]; /* every key in force, but for those of the rows */
    const struct lnstab__placement *placement;
    struct lnstab__placement_row rows[2]; /* with what is set for every sublayer       */
    int scoped_count;                     /* over it, in this order, for some */
    struct lnstab__scoped scoped[LNSTAB__SCOPED_MAX];
    struct lnstab__rule gain_embed;
    int64_t switch_layer; /* layers up to this one follow rows[0] */
    int final_norm, embed_norm;
    int init, head_init, embed_init; /* schemes of nn/init.h */
    int bias, out_proj, causal, gated, embedded, gradients, keep_states, split_products;
    enum lnstab__gradients_of gradients_of;
    enum lnstab__qk_norm qk_norm;
    enum lnstab__activation activation;
    enum lnstab__positions positions;
    enum lnstab__head head;
    enum lnstab__recompute recompute;
};

/* The first layer that has a gradient, 0 for the input; and whether that layer has them from its W_2 on alone. */
int64_t lnstab__spec_first_gradient(const struct lnstab__spec *s, int *is_w_2);

/* The row of sublayer k = 0..2L-1, attention even, FFN odd, and the value of its rules in layer l. */
struct lnstab__placement_row lnstab__spec_row(const struct lnstab__spec *s, int64_t k);
double lnstab__spec_value(const struct lnstab__spec *s, struct lnstab__rule rule, int64_t l);

/* Xiong 2020's names of the states of layer l, if its norms are the placement's; else "". */
const char *lnstab__spec_paper_states(const struct lnstab__spec *s, int64_t l);

/* The placement's formula; the general one if its norms are overridden. */
const char *lnstab__spec_formula(const struct lnstab__spec *s);

/* The first layer behind l = 1..L whose rows may not be l's; L + 1 if there is none. */
int64_t lnstab__spec_next_change(const struct lnstab__spec *s, int64_t l);

/* Fails, with the configuration's message, on combinations that no model can have. */
int32_t lnstab__spec_resolve(lnstab_config *c, struct lnstab__spec *out);

#endif
