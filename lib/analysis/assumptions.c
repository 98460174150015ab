#include "analysis/assumptions.h"

#include <stddef.h>
#include <string.h>

#include "nn/init.h"

const char *lnstab__breaks_nothing(const struct lnstab__spec *spec) {
    (void)spec;
    return NULL;
}

static int is_constant(struct lnstab__rule rule, double value) {
    return rule.factor == value &&
           (value == 0.0 || (rule.depth_power == 0.0 && rule.layer_power == 0.0));
}

/* Is a rule's constant value the same in every layer there is? */
static int everywhere(const struct lnstab__spec *spec, size_t offset, double value) {
    for (int64_t l = 1; l <= spec->layers; l += spec->layers > 1 ? spec->layers - 1 : 1) {
        const unsigned char *row = (const unsigned char *)lnstab__spec_row(spec, l);
        struct lnstab__rule rule;
        memcpy(&rule, row + offset, sizeof rule);
        if (!is_constant(rule, value)) {
            return 0;
        }
    }
    return 1;
}

#define RULE_IS(member, value)                                                                     \
    everywhere(spec, offsetof(struct lnstab__placement_row, member), value)

/* Inputs that are not N(0, I), as far as the configuration decides that. */
static const char *breaks_inputs(const struct lnstab__spec *spec) {
    const int is_unit = strcmp(lnstab__scheme_name(spec->embed_init), "unit_normal") == 0 &&
                        spec->embed_scale == 1.0 && is_constant(spec->gain_embed, 1.0);
    return spec->positions == LNSTAB__LEARNED || spec->positions == LNSTAB__SINUSOIDAL
               ? "positions must be none or rotary"
           : !spec->embedded && !is_unit
               ? "embed_init must be unit_normal, embed_scale and gain_embed 1"
               : NULL;
}

const char *lnstab__breaks_mean_field(const struct lnstab__spec *spec) {
    return !RULE_IS(gain[LNSTAB__GAIN_QK], 0.0) ? "gain_qk must be 0 (uniform attention)"
           : spec->causal                       ? "causal must be 0 (uniform attention)"
           : strncmp(lnstab__scheme_name(spec->init), "xavier", 6) != 0
               ? "init must be xavier_normal or xavier_uniform"
           : spec->kv_heads != spec->heads         ? "kv_heads must be heads"
           : spec->activation != LNSTAB__RELU      ? "activation must be relu"
           : spec->gated                           ? "gated must be 0"
           : spec->qk_norm != LNSTAB__QK_NORM_NONE ? "qk_norm must be none"
           : spec->eps > 1e-5                      ? "eps must be at most 1e-5"
                                                   : breaks_inputs(spec);
}

static int has_norms(const struct lnstab__spec *spec, int in, int out, int res, int final) {
    const struct lnstab__placement_row *first = lnstab__spec_row(spec, 1);
    const struct lnstab__placement_row *last = lnstab__spec_row(spec, spec->layers);
    return first->norm_in == in && last->norm_in == in && first->norm_out == out &&
           last->norm_out == out && first->norm_res == res && last->norm_res == res &&
           spec->final_norm == final;
}

int lnstab__is_post(const struct lnstab__spec *spec) {
    return has_norms(spec, 0, 0, 1, 0);
}

const char *lnstab__breaks_post_or_pre(const struct lnstab__spec *spec) {
    const char *broken = lnstab__breaks_mean_field(spec);
    return broken            ? broken
           : spec->heads > 1 ? "heads must be 1"
           : spec->out_proj  ? "out_proj must be 0 (no W_O)"
           : spec->bias      ? "bias must be 0"
           : spec->eps > 0   ? "eps must be 0"
           : !lnstab__is_post(spec) && !has_norms(spec, 1, 0, 0, 1)
               ? "placement must be post without, or pre with, a final norm"
           : !RULE_IS(kappa, 1.0) ? "kappa must be 1"
           : !RULE_IS(alpha, 1.0) ? "alpha must be 1"
           : !RULE_IS(beta, 1.0)  ? "beta must be 1"
           : !RULE_IS(gain[LNSTAB__GAIN_V], 1.0) || !RULE_IS(gain[LNSTAB__GAIN_W1], 1.0) ||
                   !RULE_IS(gain[LNSTAB__GAIN_W2], 1.0)
               ? "gain_v, gain_w1 and gain_w2 must be 1"
               : NULL;
}
