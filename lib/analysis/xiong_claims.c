#include <math.h>

#include "analysis/assumptions.h"
#include "analysis/claims.h"
#include "analysis/meanfield.h"

typedef const struct lnstab__spec *spec_t;
typedef const struct lnstab__scene *scene_t;
typedef const struct lnstab__claim_arguments *arguments_t;

/* post: E||x5||^2/d = 1 + c_f.  pre: 1 + c_f l <= E||x||^2/d <= 1 + (1 + c_f) l after l layers. */
static double lemma_2_lower(spec_t spec, arguments_t a) {
    return 1.0 + lnstab__meanfield_c_f(spec) * (lnstab__is_post(spec) ? 1.0 : a->layer);
}

static double lemma_2_upper(spec_t spec, arguments_t a) {
    return lemma_2_lower(spec, a) + (lnstab__is_post(spec) ? 0.0 : a->layer);
}

/* post: C_g d sqrt(40 rho (1 + rho) ln(100 n rho d)/((1 + rho)^2 + 2 rho)); pre: 2 rho L for 2 rho. */
static double theorem_1_printed(spec_t spec, arguments_t a) {
    double d = (double)spec->width, rho = (double)spec->ffn_width / d;
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

static double lemma_2_state(scene_t s, arguments_t a) {
    const struct lnstab__sublayer *ffn = lnstab__scene_sublayer(s, 2 * (int64_t)a->layer);
    return lnstab__scene_total(s, ffn->sum.data, s->width) / (double)s->rows / (double)s->width;
}

/* ||dL_i/dW_2,L||_F = ||h_i|| ||b_i||, the rank-one identity, of the mean loss's share of token i. */
static double own_gradient(scene_t s, size_t i) {
    const struct lnstab__sublayer *last = lnstab__scene_sublayer(s, 2 * s->spec->layers);
    const size_t hidden = (size_t)s->spec->ffn_width;
    return sqrt(lnstab__scene_square(s, last->of.ffn.hidden.data, hidden, i) *
                lnstab__scene_square(s, last->branch.grad, s->width, i));
}

/* max ||dL_i/dW_2,L||_F/C_g: both have the number of tokens counted as a factor. */
static double largest_ratio(scene_t s, arguments_t a) {
    double most = 0.0;
    (void)a;
    for (size_t i = 0; i < s->rows; ++i) {
        most = lnstab__larger(most, own_gradient(s, i));
    }
    return most / lnstab__scene_largest(s, s->m->output.grad, s->width);
}

/* The share of the tokens within bound C_g; NaN outside the theorem's setting. */
static double share_within(scene_t s, double bound) {
    const double limit = bound * lnstab__scene_largest(s, s->m->output.grad, s->width);
    double within = 0.0, sum = limit;
    for (size_t i = 0; i < s->rows; ++i) {
        const double own = own_gradient(s, i);
        within += own <= limit;
        sum += own;
    }
    return isfinite(sum) && !lnstab__breaks_post_or_pre(s->spec) ? within / (double)s->rows
                                                                 : (double)NAN;
}

static double share_of_tokens(scene_t s, arguments_t a) {
    const struct lnstab__claim_arguments one = {.tokens = 1.0};
    (void)a;
    return share_within(s, theorem_1_printed(s->spec, &one));
}

/* Of models: all tokens of this one, or not. */
static double all_tokens(scene_t s, arguments_t a) {
    return floor(share_within(s, theorem_1_rigorous(s->spec, a)));
}

#define ROW(name, source, arguments, assumptions, kind, relation, formula, broken, predict,        \
            measure, needs)                                                                        \
    {                                                                                              \
        name, source, arguments, assumptions, kind, relation, formula, broken, predict, NULL,      \
            measure, needs                                                                         \
    }

static const struct lnstab__claim rows[] = {
    ROW("lemma2.lower", "Xiong 2020, Lemma 2; any rho: derived", "layer", SETTING,
        LNSTAB__EXPECTATION, ">=", "E||x||^2/d after layer l: pre 1 + c_f l; post, of x5: 1 + c_f",
        lnstab__breaks_post_or_pre, lemma_2_lower, lemma_2_state, LNSTAB__STATES),
    ROW("lemma2.upper", "Xiong 2020, Lemma 2; any rho: derived", "layer", SETTING,
        LNSTAB__EXPECTATION,
        "<=", "E||x||^2/d after layer l: pre 1 + (1 + c_f) l; post, of x5: 1 + c_f",
        lnstab__breaks_post_or_pre, lemma_2_upper, lemma_2_state, LNSTAB__STATES),
    ROW("theorem1.printed", "Xiong 2020, Theorem 1; constants of its proof, any rho: derived",
        "tokens", SETTING, LNSTAB__PUBLISHED, "<=",
        "bound/C_g, C_g = max ||g_i||: d sqrt(40 rho (1 + rho) ln(100 n rho d)/D), post D = "
        "(1 + rho)^2 + 2 rho, pre D = (1 + rho)^2 + 2 rho L",
        lnstab__breaks_post_or_pre, theorem_1_printed, largest_ratio, LNSTAB__LOSS_OF_ONE_SEQUENCE),
    ROW("theorem1.rigorous", "Xiong 2020, Theorem 1; with the centred norm of LayerNorm: derived",
        "tokens", SETTING, LNSTAB__PUBLISHED, "<=",
        "theorem1.printed with E||x - mean x||^2 in place of E||x||^2", lnstab__breaks_post_or_pre,
        theorem_1_rigorous, largest_ratio, LNSTAB__LOSS_OF_ONE_SEQUENCE),
    ROW("theorem1.probability_published", "Xiong 2020, Theorem 1", "epsilon delta", "none",
        LNSTAB__PUBLISHED, ">=", "0.99 - delta - epsilon/(0.9 + epsilon), one token",
        lnstab__breaks_nothing, probability_published, share_of_tokens,
        LNSTAB__LOSS_OF_ONE_SEQUENCE),
    ROW("theorem1.probability_repaired", "derived", "epsilon tau tokens", "none",
        LNSTAB__PROBABILITY,
        ">=", "0.99 - n (epsilon + tau)/(0.9 + epsilon), tau = E[(Y - (1 + epsilon) EY)_+]/EY",
        lnstab__breaks_nothing, probability_repaired, all_tokens, LNSTAB__LOSS_OF_ONE_SEQUENCE),
};

const struct lnstab__claim_list lnstab__xiong_claims = {rows, sizeof rows / sizeof *rows};
