#include "model/placement.h"

#include <math.h>
#include <string.h>

#include "base/text.h"

/* Most rules have no powers, and the claims ask for millions of them. */
static double power(int64_t base, double exponent) {
    return exponent == 0 ? 1.0 : pow((double)base, exponent);
}

/* L^p l^q may be in range where its factors are not: as (l/L)^q L^(p + q). */
double lnstab__rule_value(struct lnstab__rule r, int64_t L, int64_t l) {
    const double apart = power(L, r.depth_power) * power(l, r.layer_power);
    const double together =
        isfinite(apart) && apart > 0
            ? apart
            : pow((double)l / (double)L, r.layer_power) * power(L, r.depth_power + r.layer_power);
    return r.factor == 0 ? 0.0 : r.factor * together;
}

#define GENERAL "x' = N_res(alpha x + beta N_out(F(kappa N_in(x)))), every part by its key"
#define ONE                                                                                        \
    { 1.0, 0.0, 0.0 }
#define GAINS_ONE                                                                                  \
    { ONE, ONE, ONE, ONE, ONE }
#define POST_STATES "attn.branch attn.sum attn.out ffn.branch ffn.sum"
#define PRE_STATES "attn.f_in attn.branch attn.out ffn.f_in ffn.branch"
#define ALIKE(...)                                                                                 \
    {                                                                                              \
        {__VA_ARGS__}, {                                                                           \
            __VA_ARGS__                                                                            \
        }                                                                                          \
    }
#define PLAIN .kappa = ONE, .alpha = ONE, .beta = ONE, .gain = GAINS_ONE
#define POST .norm_res = 1, PLAIN, .states = POST_STATES
#define PRE .norm_in = 1, PLAIN, .states = PRE_STATES

/* (8L)^(-1/4) = 8^(-1/4) L^(-1/4), and (2L)^(1/4) in the same way */
#define DEEPNORM_GAIN                                                                              \
    { 0.59460355750136053, -0.25, 0.0 }
#define DEEPNORM_ALPHA                                                                             \
    { 1.189207115002721067, 0.25, 0.0 }

static const struct lnstab__placement placements[] = {
    {.name = "none",
     .aliases = "no-norm",
     .formula = "x' = x + F(x)",
     .source = "Zhang et al. 2019 (Fixup, arXiv 1901.09321)",
     .rows = ALIKE(PLAIN, .states = "")},
    {.name = "post",
     .aliases = "post-ln postln",
     .formula = "x' = N(x + F(x))",
     .source = "Vaswani et al. 2017; Xiong 2020, table 1",
     .rows = ALIKE(POST)},
    {.name = "pre",
     .aliases = "pre-ln preln gpt2",
     .formula = "x' = x + F(N(x)), final norm",
     .source = "Xiong 2020, table 1; GPT-2",
     .final_norm = 1,
     .rows = ALIKE(PRE)},
    {.name = "peri",
     .aliases = "peri-ln cogview",
     .formula = "x' = x + N(F(N(x))), final norm",
     .source = "Kim et al. 2025 (arXiv 2502.02732)",
     .final_norm = 1,
     .rows = ALIKE(.norm_in = 1, .norm_out = 1, PLAIN, .states = "")},
    {.name = "output-norm",
     .aliases = "olmo2 swin2",
     .formula = "x' = x + N(F(x)), final norm",
     .source = "OLMo 2 (arXiv 2501.00656); Swin v2 (arXiv 2111.09883)",
     .final_norm = 1,
     .rows = ALIKE(.norm_out = 1, PLAIN, .states = "")},
    {.name = "deepnorm",
     .aliases = "deepnet",
     .formula = "x' = N((2L)^(1/4) x + F(x)), weights of FFN, V and O times (8L)^(-1/4)",
     .source = "Wang et al. 2022 (arXiv 2203.00555)",
     .rows = ALIKE(.norm_res = 1, .kappa = ONE, .alpha = DEEPNORM_ALPHA, .beta = ONE,
                   .gain = {ONE, DEEPNORM_GAIN, DEEPNORM_GAIN, DEEPNORM_GAIN, DEEPNORM_GAIN},
                   .states = "")},
    {.name = "ln-scaling",
     .aliases = "lns",
     .formula = "x' = x + F(N(x)/sqrt(l)), final norm",
     .source = "Sun et al. 2025 (arXiv 2502.05795)",
     .final_norm = 1,
     .rows = ALIKE(.norm_in = 1, .kappa = {1.0, 0.0, -0.5}, .alpha = ONE, .beta = ONE,
                   .gain = GAINS_ONE, .states = "")},
    {.name = "mix",
     .aliases = "mix-ln",
     .formula = "post for the first floor(mix_fraction L) layers, pre for the others, final norm",
     .source = "Li et al. 2024 (arXiv 2412.13795)",
     .final_norm = 1,
     .rows = {{POST}, {PRE}}},
    {.name = "custom",
     .aliases = "",
     .formula = GENERAL,
     .source = "",
     .rows = ALIKE(PLAIN, .states = "")},
};

static const struct {
    const char *name, *meanings;
} ambiguous[] = {
    {"sandwich", "peri (a norm before and after F) or, in some code, output-norm"},
    {"sandwich-ln", "peri (a norm before and after F) or, in some code, output-norm"},
    {"post-norm", "post (a norm after the sum) or output-norm (a norm after F)"},
    {"reordered", "output-norm (a norm after F) or post (a norm after the sum)"},
};

const char *lnstab__placement_general_formula(void) {
    return GENERAL;
}

int lnstab__placement_count(void) {
    return (int)(sizeof placements / sizeof *placements);
}

const struct lnstab__placement *lnstab__placement_at(int i) {
    return &placements[i];
}

int lnstab__placement_find(const char *name, size_t length) {
    for (int i = 0; i < lnstab__placement_count(); ++i) {
        if (lnstab__text_is(name, length, placements[i].name) ||
            lnstab__text_has_word(placements[i].aliases, name, length)) {
            return i;
        }
    }
    return -1;
}

const char *lnstab__placement_ambiguity(const char *name, size_t length) {
    for (size_t i = 0; i < sizeof ambiguous / sizeof *ambiguous; ++i) {
        if (lnstab__text_is(name, length, ambiguous[i].name)) {
            return ambiguous[i].meanings;
        }
    }
    return NULL;
}
