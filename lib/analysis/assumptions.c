#include "analysis/assumptions.h"

#include <math.h>
#include <string.h>

#include "analysis/head.h"
#include "model/row_keys.h"
#include "nn/init.h"

const char *lnstab__breaks_nothing(const struct lnstab__spec *spec) {
    (void)spec;
    return NULL;
}

const char *lnstab__breaks_layer_norm(const struct lnstab__spec *spec) {
    return spec->norm != LNSTAB__NORM_LAYER ? "norm must be layer" : NULL;
}

const char *lnstab__breaks_branch_bounds(const struct lnstab__spec *spec) {
    for (int64_t l = 1; spec->gated && l <= spec->layers; l = lnstab__spec_next_change(spec, l)) {
        const struct lnstab__placement_row ffn = lnstab__spec_row(spec, 2 * l - 1);
        if (!ffn.norm_out && !ffn.norm_res) {
            return "gated must be 0 (neither N_out nor N_res bounds the FFN)";
        }
    }
    return NULL;
}

const char *lnstab__breaks_lipschitz(const struct lnstab__spec *spec) {
    return spec->gated                             ? "gated must be 0"
           : spec->qk_norm != LNSTAB__QK_NORM_NONE ? "qk_norm must be none"
                                                   : NULL;
}

static int is_constant(struct lnstab__rule rule, double value) {
    return rule.factor == value &&
           (value == 0.0 || (rule.depth_power == 0.0 && rule.layer_power == 0.0));
}

/* Is a key's rule constant, and the same in every sublayer that it is of? */
static int everywhere(const struct lnstab__spec *spec, int id, double value) {
    const struct lnstab__scope scope = {1, 0, lnstab__row_key_parts(id)};
    for (int64_t l = 1; l <= spec->layers; l = lnstab__spec_next_change(spec, l)) {
        for (int64_t k = 2 * l - 2; k < 2 * l; ++k) {
            const struct lnstab__placement_row row = lnstab__spec_row(spec, k);
            if (lnstab__scope_has(scope, spec->layers, k) &&
                !is_constant(lnstab__row_get(&row, id).rule, value)) {
                return 0;
            }
        }
    }
    return 1;
}

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

static int is_xavier(const struct lnstab__spec *spec) {
    return strncmp(lnstab__scheme_name(spec->init), "xavier", 6) == 0;
}

const char *lnstab__breaks_mean_field(const struct lnstab__spec *spec) {
    return !everywhere(spec, LNSTAB__KEY_GAIN_QK, 0.0) ? "gain_qk must be 0 (uniform attention)"
           : spec->causal                              ? "causal must be 0 (uniform attention)"
           : !is_xavier(spec)                      ? "init must be xavier_normal or xavier_uniform"
           : spec->kv_heads != spec->heads         ? "kv_heads must be heads"
           : spec->activation != LNSTAB__RELU      ? "activation must be relu"
           : spec->gated                           ? "gated must be 0"
           : spec->qk_norm != LNSTAB__QK_NORM_NONE ? "qk_norm must be none"
           : spec->eps > 1e-5                      ? "eps must be at most 1e-5"
                                                   : breaks_inputs(spec);
}

const char *lnstab__breaks_gaussian_inputs(const struct lnstab__spec *spec) {
    const char *broken = breaks_inputs(spec);
    return broken ? broken : spec->embed_norm ? "embed_norm must be 0" : NULL;
}

const char *lnstab__breaks_xavier_relu(const struct lnstab__spec *spec) {
    return !is_xavier(spec)                   ? "init must be xavier_normal or xavier_uniform"
           : spec->activation != LNSTAB__RELU ? "activation must be relu"
           : spec->gated                      ? "gated must be 0"
                                              : NULL;
}

const char *lnstab__breaks_w_o(const struct lnstab__spec *spec) {
    const char *broken = lnstab__breaks_mean_field(spec);
    return broken ? broken : !spec->out_proj ? "out_proj must be 1 (there is no W_O)" : NULL;
}

/* s = 1 with 74 classes, s = 2 with 546: rho_v is then up to 15 % less than predicted (simulate.py head). */
const char *lnstab__breaks_head(const struct lnstab__spec *spec) {
    const char *broken = lnstab__breaks_mean_field(spec);
    const double classes = 10.0 * exp(2.0 * lnstab__head_logit_variance(spec));
    return broken ? broken
           : !spec->final_norm && !lnstab__spec_row(spec, 2 * spec->layers - 1).norm_res
               ? "final_norm must be 1, or norm_res of the last sublayer"
           : spec->head != LNSTAB__HEAD_SEPARATE ? "head must be separate"
           : spec->label_smoothing > 0           ? "label_smoothing must be 0"
           : (double)spec->vocab < classes
               ? "vocab must be at least 10 e^(2s), s the variance of a logit (head_init)"
               : NULL;
}

static int has_norms(const struct lnstab__spec *spec, int in, int out, int res, int final) {
    const struct lnstab__placement_row wanted = {.norm_in = in, .norm_out = out, .norm_res = res};
    for (int64_t l = 1; l <= spec->layers; l = lnstab__spec_next_change(spec, l)) {
        const struct lnstab__placement_row attn = lnstab__spec_row(spec, 2 * l - 2);
        const struct lnstab__placement_row ffn = lnstab__spec_row(spec, 2 * l - 1);
        if (!lnstab__row_norms_equal(&attn, &wanted) || !lnstab__row_norms_equal(&ffn, &wanted)) {
            return 0;
        }
    }
    return spec->final_norm == final;
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
           : !everywhere(spec, LNSTAB__KEY_KAPPA, 1.0) ? "kappa must be 1"
           : !everywhere(spec, LNSTAB__KEY_ALPHA, 1.0) ? "alpha must be 1"
           : !everywhere(spec, LNSTAB__KEY_BETA, 1.0)  ? "beta must be 1"
           : !everywhere(spec, LNSTAB__KEY_GAIN_V, 1.0) ||
                   !everywhere(spec, LNSTAB__KEY_GAIN_W1, 1.0) ||
                   !everywhere(spec, LNSTAB__KEY_GAIN_W2, 1.0)
               ? "gain_v, gain_w1 and gain_w2 must be 1"
               : NULL;
}
