#include "support/options.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/handles.h"

enum { MOST_LEVELS = 9 };

/* Without a norm the unscaled states grow like 2^L, gated ones like squares of squares, and no step is
 * small enough for their curvature. */
static const struct {
    int levels;
    const char *words[MOST_LEVELS];
} options[OPTIONS] = {
    [OPTION_PLACEMENT] = {9,
                          {"placement=none beta=0.5*L^-1", "placement=post", "placement=pre",
                           "placement=peri", "placement=output-norm", "placement=deepnorm",
                           "placement=ln-scaling", "placement=mix mix_fraction=0.5",
                           "placement=custom norm_in=1 norm_out=1 norm_res=1 final_norm=1 "
                           "kappa=1.3 alpha=0.8 beta=0.7*L^-0.5*l^0.25"}},
    [OPTION_NORM] = {2, {"norm=layer", "norm=rms"}},
    [OPTION_ACTIVATION] = {4,
                           {"activation=relu", "activation=gelu", "activation=gelu_tanh",
                            "activation=silu"}},
    [OPTION_GATED] = {2, {"gated=0", "gated=1"}},
    [OPTION_BIAS] = {2, {"bias=0", "bias=1"}},
    [OPTION_QK_NORM] = {3, {"qk_norm=none", "qk_norm=head", "qk_norm=full"}},
    [OPTION_SOFT_CAP] = {2, {"soft_cap=0", "soft_cap=2"}},
    [OPTION_POSITIONS] = {4,
                          {"positions=none width=12", "positions=learned width=12",
                           "positions=sinusoidal width=12",
                           "positions=rotary rotary_base=30 width=24"}},
    [OPTION_HEADS] = {3, {"heads=1", "heads=4", "heads=4 kv_heads=2"}},
    [OPTION_CAUSAL] = {2, {"causal=0", "causal=1"}},
    [OPTION_MASK] = {2, {"", ""}},
    [OPTION_ENDS] = {3, {"head=separate", "head=separate input=embedded", "head=tied"}},
    [OPTION_SMOOTHING] = {2, {"label_smoothing=0", "label_smoothing=0.1"}},
    [OPTION_OUT_PROJ] = {2, {"out_proj=0", "out_proj=1"}},
    [OPTION_EMBED_NORM] = {2, {"embed_norm=0", "embed_norm=1"}},
};

static const int32_t tokens[OPTION_ROWS] = {3, 10, 0, 1, 1, 5, 7, 0, 9, 2};
static const int32_t targets[OPTION_ROWS] = {0, 5, -100, 2, 10, 6, 6, 3, 8, 1};

/* The first two queries of the second sequence see no key where they see the past alone. */
static const uint8_t keep[OPTION_ROWS] = {1, 1, 0, 1, 0, 0, 0, 1, 1, 1};

struct covering options_covering(int strength) {
    struct covering c = {.factors = OPTIONS, .strength = strength};
    for (int i = 0; i < OPTIONS; ++i) {
        c.levels[i] = options[i].levels;
    }
    return c;
}

void option_words(const int8_t *row, int layers, const char *more, char words[OPTION_WORDS]) {
    int length = snprintf(words, OPTION_WORDS,
                          "layers=%d ffn_width=7 vocab=11 max_batch=3 max_tokens=6 dtype=float64 "
                          "eps=1e-3 embed_scale=1.7",
                          layers);
    for (int i = 0; i < OPTIONS; ++i) {
        length += snprintf(words + length, OPTION_WORDS - (size_t)length, " %s",
                           options[i].words[row[i]]);
    }
    snprintf(words + length, OPTION_WORDS - (size_t)length, " %s", more);
}

struct option_model option_model_new(const int8_t *row, int layers, const char *more) {
    struct option_model o = {.keep = row[OPTION_MASK] ? keep : NULL};
    option_words(row, layers, more, o.words);
    o.m = new_model(o.words);
    require(lnstab_model_init(o.m, 11) == LNSTAB_OK, "%s", lnstab_model_message(o.m));
    perturb(o.m, 12, 0.1);
    o.width = row[OPTION_POSITIONS] == 3 ? 24 : 12;
    o.count = OPTION_ROWS * o.width;
    if (row[OPTION_ENDS] == ENDS_EMBEDDED) {
        o.x = normals(21, 1, o.count, LNSTAB_FLOAT64);
    }
    return o;
}

void option_model_free(struct option_model *o) {
    free(o->x);
    lnstab_model_destroy(o->m);
}

double option_loss(const struct option_model *o) {
    double loss;
    const int32_t status =
        o->x ? lnstab_model_forward_embedded(o->m, OPTION_BATCH, OPTION_TOKENS, o->x, o->keep)
             : lnstab_model_forward(o->m, OPTION_BATCH, OPTION_TOKENS, tokens, o->keep);
    require(status == LNSTAB_OK, "%s: %s", o->words, lnstab_model_message(o->m));
    require(lnstab_model_loss(o->m, targets, &loss, NULL) == LNSTAB_OK, "%s: %s", o->words,
            lnstab_model_message(o->m));
    return loss;
}
