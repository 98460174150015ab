#include "analysis/claims.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "analysis/assumptions.h"
#include "analysis/meanfield.h"
#include "base/number.h"

typedef const struct lnstab__spec *spec_t;
typedef const struct lnstab__claim_arguments *arguments_t;

static double rho_of(spec_t spec) {
    return (double)spec->ffn_width / (double)spec->width;
}

static struct lnstab__meanfield ffn_at(spec_t spec, double layer, arguments_t a) {
    return lnstab__meanfield_ffn(spec, (int64_t)layer, a->tokens);
}

/* post: E||x5||^2/d = 1 + c_f.  pre: 1 + c_f l <= E||x||^2/d <= 1 + (1 + c_f) l after l layers. */
static double lemma_2_lower(spec_t spec, arguments_t a) {
    return 1.0 + lnstab__meanfield_c_f(spec) * (lnstab__is_post(spec) ? 1.0 : a->layer);
}

static double lemma_2_upper(spec_t spec, arguments_t a) {
    return lemma_2_lower(spec, a) + (lnstab__is_post(spec) ? 0.0 : a->layer);
}

static double meanfield_q(spec_t spec, arguments_t a) {
    return ffn_at(spec, a->layer, a).out.q;
}

static double meanfield_cosine(spec_t spec, arguments_t a) {
    return lnstab__meanfield_cosine(ffn_at(spec, a->layer, a).out);
}

static double hidden_cosine(spec_t spec, arguments_t a) {
    return 2.0 * lnstab__meanfield_kap(lnstab__meanfield_cosine(ffn_at(spec, a->layer, a).f_in));
}

/* ||dL_i/dW_2|| = ||h_i|| ||g_i J||: E||h||^2 = g_1^2 q_in rho d/(1 + rho), and every normalisation
 * between the branch and the loss divides by the root mean square of what it normalises. */
static double rank_one_w_2(spec_t spec, arguments_t a) {
    const int64_t L = spec->layers;
    const struct lnstab__placement_row row = lnstab__spec_row(spec, 2 * L - 1);
    const struct lnstab__meanfield m = lnstab__meanfield_ffn(spec, L, a->tokens);
    double gain = lnstab__spec_value(spec, row.gain[LNSTAB__GAIN_W1], L), rho = rho_of(spec);
    double hidden = gain * gain * m.f_in.q * rho * (double)spec->width / (1.0 + rho);
    double passed = m.beta * m.beta / (row.norm_out ? m.branch.q : 1.0) /
                    (row.norm_res ? m.sum.q : 1.0) / (spec->final_norm ? m.out.q : 1.0);
    return sqrt(hidden * passed);
}

/* post: C_g d sqrt(40 rho (1 + rho) ln(100 n rho d)/((1 + rho)^2 + 2 rho)); pre: 2 rho L for 2 rho. */
static double theorem_1_printed(spec_t spec, arguments_t a) {
    double rho = rho_of(spec), d = (double)spec->width;
    double depth = lnstab__is_post(spec) ? 1.0 : (double)spec->layers;
    return d * sqrt(40.0 * rho * (1.0 + rho) * log(100.0 * a->tokens * rho * d) /
                    ((1.0 + rho) * (1.0 + rho) + 2.0 * rho * depth));
}

/* LayerNorm divides by the norm about the mean: E||x5 - mean||^2 = d(1 + c_f (d-1)/d) for post, and for
 * pre (d-1)/d of E||x||^2. RMSNorm does not centre, and the printed form stands. */
static double theorem_1_rigorous(spec_t spec, arguments_t a) {
    double d = (double)spec->width, c_f = lnstab__meanfield_c_f(spec);
    double centred =
        lnstab__is_post(spec) ? (1.0 + c_f * (d - 1.0) / d) / (1.0 + c_f) : (d - 1.0) / d;
    return theorem_1_printed(spec, a) / sqrt(spec->norm == LNSTAB__NORM_LAYER ? centred : 1.0);
}

static double probability_published(spec_t spec, arguments_t a) {
    (void)spec;
    return 0.99 - a->delta - a->epsilon / (0.9 + a->epsilon);
}

static double probability_repaired(spec_t spec, arguments_t a) {
    (void)spec;
    return 0.99 - a->tokens * (a->epsilon + a->tau) / (0.9 + a->epsilon);
}

#define SETTING                                                                                    \
    "post or pre, heads=1 bias=0 out_proj=0 gain_qk=0 causal=0 eps=0, Xavier, other factors 1"
#define MEAN_FIELD                                                                                 \
    "gain_qk=0 causal=0, Xavier weights, inputs N(0, I), width to infinity, eps at most 1e-5"

static const struct lnstab__claim claims[] = {
    {"lemma2.lower", "Xiong 2020, Lemma 2; any rho: derived", "layer", SETTING,
     ">=", "E||x||^2/d after layer l: pre 1 + c_f l; post, of x5: 1 + c_f",
     lnstab__breaks_post_or_pre, lemma_2_lower},
    {"lemma2.upper", "Xiong 2020, Lemma 2; any rho: derived", "layer", SETTING,
     "<=", "E||x||^2/d after layer l: pre 1 + (1 + c_f) l; post, of x5: 1 + c_f",
     lnstab__breaks_post_or_pre, lemma_2_upper},
    {"meanfield.q", "derived", "layer tokens", MEAN_FIELD, "=",
     "E||x_i||^2/d of the stream after layer l, from the recursion", lnstab__breaks_mean_field,
     meanfield_q},
    {"meanfield.cosine", "derived", "layer tokens", MEAN_FIELD, "=",
     "E<x_i, x_j>/E||x_i||^2 of two tokens after layer l", lnstab__breaks_mean_field,
     meanfield_cosine},
    {"meanfield.hidden_cosine", "derived", "layer tokens", MEAN_FIELD, "=",
     "rho_h = 2 kap(cosine of the inputs of the FFN of layer l)", lnstab__breaks_mean_field,
     hidden_cosine},
    {"rankone.w_2", "derived", "tokens", MEAN_FIELD, "=",
     "||dL_i/dW_2,L||_F / ||g_i||, one token's loss, from ||h_i|| ||g_i J||",
     lnstab__breaks_mean_field, rank_one_w_2},
    {"theorem1.printed", "Xiong 2020, Theorem 1; constants of its proof, any rho: derived",
     "tokens", SETTING, "<=",
     "bound/C_g, C_g = max ||g_i||: d sqrt(40 rho (1 + rho) ln(100 n rho d)/D), post D = "
     "(1 + rho)^2 + 2 rho, pre D = (1 + rho)^2 + 2 rho L",
     lnstab__breaks_post_or_pre, theorem_1_printed},
    {"theorem1.rigorous", "Xiong 2020, Theorem 1; with the centred norm of LayerNorm: derived",
     "tokens", SETTING, "<=", "theorem1.printed with E||x - mean x||^2 in place of E||x||^2",
     lnstab__breaks_post_or_pre, theorem_1_rigorous},
    {"theorem1.probability_published", "Xiong 2020, Theorem 1", "epsilon delta", "none",
     ">=", "0.99 - delta - epsilon/(0.9 + epsilon), one token", lnstab__breaks_nothing,
     probability_published},
    {"theorem1.probability_repaired", "derived", "epsilon tau tokens", "none",
     ">=", "0.99 - n (epsilon + tau)/(0.9 + epsilon), tau = E[(Y - (1 + epsilon) EY)_+]/EY",
     lnstab__breaks_nothing, probability_repaired},
};

int lnstab__claim_count(void) {
    return (int)(sizeof claims / sizeof *claims);
}

const struct lnstab__claim *lnstab__claim_at(int i) {
    return &claims[i];
}

static const struct lnstab__claim *claim_find(const char *name) {
    for (int i = 0; i < lnstab__claim_count(); ++i) {
        if (strcmp(claims[i].name, name) == 0) {
            return &claims[i];
        }
    }
    return NULL;
}

int32_t lnstab__claim_predict(lnstab_config *c, const char *name, const char *arguments,
                              double *value) {
    struct lnstab__spec spec;
    struct lnstab__claim_arguments given = {0};
    const struct lnstab__claim *claim = claim_find(name);
    if (!claim) {
        return lnstab__fail(&c->message, LNSTAB_ERROR_NAME, "no claim '%.60s'", name);
    }
    int32_t status = lnstab__spec_resolve(c, &spec);
    status = status == LNSTAB_OK ? lnstab__claim_arguments_parse(c, claim->name, claim->arguments,
                                                                 arguments, &given)
                                 : status;
    if (status != LNSTAB_OK) {
        return status;
    }
    if (given.layer > (double)spec.layers) {
        char layer[LNSTAB__NUMBER_ROOM];
        return lnstab__fail(&c->message, LNSTAB_ERROR_ARGUMENT, "layer %s is outside 1..%" PRId64,
                            lnstab__number_format(layer, given.layer), spec.layers);
    }
    const char *broken = claim->broken(&spec);
    if (broken) {
        return lnstab__fail(&c->message, LNSTAB_ERROR_UNAVAILABLE, "%s does not cover this: %s",
                            name, broken);
    }
    const double predicted = claim->predict(&spec, &given);
    if (!isfinite(predicted)) {
        return lnstab__fail(&c->message, LNSTAB_ERROR_UNAVAILABLE,
                            "%s has no finite value for this configuration and these arguments",
                            name);
    }
    *value = predicted;
    return lnstab__succeed(&c->message);
}
