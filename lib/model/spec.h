#ifndef LNSTAB_MODEL_SPEC_H
#define LNSTAB_MODEL_SPEC_H

#include "math/kernels.h"
#include "model/config.h"

/* A configuration made definite: every key resolved, every combination checked. */
struct lnstab__spec {
    int64_t layers, width, ffn_width, heads, vocab, max_batch, max_tokens, ignore_index;
    int32_t dtype;
    enum lnstab__norm_kind norm;
    double eps;
    const struct lnstab__placement *placement;
    struct lnstab__placement_row rows[2]; /* with the configuration's overrides */
    int64_t switch_layer;                 /* layers up to this one follow rows[0] */
    int final_norm, embed_norm;
    int init, head_init; /* schemes of nn/init.h */
    int bias, out_proj, causal, embedded, head, gradients, keep_states;
};

/* The row of layer l = 1..L, and the coefficients of its rules there. */
const struct lnstab__placement_row *lnstab__spec_row(const struct lnstab__spec *s, int64_t l);
double lnstab__spec_value(const struct lnstab__spec *s, struct lnstab__rule rule, int64_t l);

/* Fails, with the configuration's message, on combinations that no model can have. */
int32_t lnstab__spec_resolve(lnstab_config *c, struct lnstab__spec *out);

#endif
