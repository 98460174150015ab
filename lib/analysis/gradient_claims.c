#include <math.h>

#include "analysis/assumptions.h"
#include "analysis/claims.h"
#include "analysis/costate.h"
#include "analysis/gradient_measures.h"
#include "analysis/head.h"

typedef const struct lnstab__spec *spec_t;
typedef const struct lnstab__claim_arguments *arguments_t;

static struct lnstab__moments costates(spec_t spec, arguments_t a) {
    return lnstab__costate_at(spec, (int64_t)a->sublayer - 1, a->tokens, a->coherence);
}

/* Rounding may leave a difference of equal numbers below 0. */
static double root(double square) {
    return sqrt(square < 0.0 ? 0.0 : square);
}

/* One token's loss has no coherence argument: it is 0. */
static double costate(spec_t spec, arguments_t a) {
    return root(costates(spec, a).q);
}

static double costate_cosine(spec_t spec, arguments_t a) {
    return lnstab__meanfield_cosine(costates(spec, a));
}

static double gradient(spec_t spec, arguments_t a, enum lnstab__gain matrix) {
    return root(lnstab__costate_gradient(spec, matrix, (int64_t)a->layer, a->tokens, a->coherence));
}

static double w_v(spec_t spec, arguments_t a) {
    return gradient(spec, a, LNSTAB__GAIN_V);
}

static double w_o(spec_t spec, arguments_t a) {
    return gradient(spec, a, LNSTAB__GAIN_O);
}

static double w_1(spec_t spec, arguments_t a) {
    return gradient(spec, a, LNSTAB__GAIN_W1);
}

static double w_2(spec_t spec, arguments_t a) {
    return gradient(spec, a, LNSTAB__GAIN_W2);
}

static double token_w_v(spec_t spec, arguments_t a) {
    return sqrt(a->tokens) * w_v(spec, a);
}

static double token_w_o(spec_t spec, arguments_t a) {
    return sqrt(a->tokens) * w_o(spec, a);
}

static double token_w_1(spec_t spec, arguments_t a) {
    return sqrt(a->tokens) * w_1(spec, a);
}

static double token_w_2(spec_t spec, arguments_t a) {
    return sqrt(a->tokens) * w_2(spec, a);
}

static double last_w_2(spec_t spec, arguments_t a) {
    const struct lnstab__claim_arguments last = {.layer = (double)spec->layers,
                                                 .tokens = a->tokens};
    return token_w_2(spec, &last);
}

static double coherence(spec_t spec, arguments_t a) {
    const struct lnstab__moments out = lnstab__meanfield_at(spec, 2 * spec->layers, a->tokens).out;
    return lnstab__head_coherence(spec, lnstab__meanfield_cosine(out));
}

static double loss_gradient(spec_t spec, arguments_t a) {
    (void)a;
    return sqrt(lnstab__head_gradient(spec));
}

#define BACKWARD LNSTAB__MEAN_FIELD ", costates independent of the weights they pass"
#define HEAD                                                                                       \
    LNSTAB__MEAN_FIELD ", a norm at the end, head=separate label_smoothing=0, labels uniform, "    \
                       "vocab at least 10 e^(2s)"
#define SEQUENCE "the mean of the tokens' losses, over sqrt(E||g_i||^2), g_i of L_i at output"

#define ROW(name, arguments, assumptions, formula, broken, function, measure, needs)               \
    {                                                                                              \
        name, "derived", arguments, assumptions, LNSTAB__LIMIT, "=", formula, broken, function,    \
            NULL, measure, needs                                                                   \
    }
#define MATRIX(name, formula, broken, function, measure)                                           \
    ROW(name, "layer tokens coherence", BACKWARD, formula, broken, function, measure,              \
        LNSTAB__LOSS_OF_ALL_TOKENS)
#define TOKEN(name, formula, broken, function, measure)                                            \
    ROW(name, "layer tokens", BACKWARD, formula, broken, function, measure,                        \
        LNSTAB__LOSS_OF_ONE_TOKEN)

static const struct lnstab__claim rows[] = {
    ROW("meanfield.costate", "sublayer tokens coherence", BACKWARD,
        "sqrt(E||p_i||^2/E||g_i||^2), p_i = d(sum of losses)/d in of sublayer k; k = 2L + 1 is the "
        "final norm",
        lnstab__breaks_mean_field, costate, lnstab__measure_costate,
        LNSTAB__COSTATES_OF_ONE_SEQUENCE),
    ROW("meanfield.costate_cosine", "sublayer tokens coherence", BACKWARD,
        "E<p_i, p_j>/E||p_i||^2 of two tokens where sublayer k begins", lnstab__breaks_mean_field,
        costate_cosine, lnstab__measure_costate_cosine, LNSTAB__COSTATES_OF_ONE_SEQUENCE),
    MATRIX("meanfield.w_v", "||dLoss/dW_V,l||_F of " SEQUENCE, lnstab__breaks_mean_field, w_v,
           lnstab__measure_w_v),
    MATRIX("meanfield.w_o", "||dLoss/dW_O,l||_F of " SEQUENCE, lnstab__breaks_w_o, w_o,
           lnstab__measure_w_o),
    MATRIX("meanfield.w_1", "||dLoss/dW_1,l||_F of " SEQUENCE, lnstab__breaks_mean_field, w_1,
           lnstab__measure_w_1),
    MATRIX("meanfield.w_2", "||dLoss/dW_2,l||_F of " SEQUENCE, lnstab__breaks_mean_field, w_2,
           lnstab__measure_w_2),
    ROW("meanfield.token_costate", "sublayer tokens", BACKWARD,
        "||dL_i/d in of sublayer k||_F / ||g_i||, one token's loss, over all tokens: "
        "meanfield.costate with coherence 0",
        lnstab__breaks_mean_field, costate, lnstab__measure_costate, LNSTAB__LOSS_OF_ONE_TOKEN),
    TOKEN("meanfield.token_w_v", "||dL_i/dW_V,l||_F / ||g_i||, one token's loss",
          lnstab__breaks_mean_field, token_w_v, lnstab__measure_w_v),
    TOKEN("meanfield.token_w_o", "||dL_i/dW_O,l||_F / ||g_i||, one token's loss",
          lnstab__breaks_w_o, token_w_o, lnstab__measure_w_o),
    TOKEN("meanfield.token_w_1", "||dL_i/dW_1,l||_F / ||g_i||, one token's loss",
          lnstab__breaks_mean_field, token_w_1, lnstab__measure_w_1),
    TOKEN("meanfield.token_w_2", "||dL_i/dW_2,l||_F / ||g_i||, one token's loss",
          lnstab__breaks_mean_field, token_w_2, lnstab__measure_w_2),
    ROW("rankone.w_2", "tokens", LNSTAB__MEAN_FIELD,
        "||dL_i/dW_2,L||_F / ||g_i||, one token's loss, from ||h_i|| ||g_i J||",
        lnstab__breaks_mean_field, last_w_2, lnstab__measure_rank_one, LNSTAB__COSTATES_UNMASKED),
    ROW("meanfield.coherence", "tokens", HEAD,
        "rho_v, mean cosine of two tokens' g_i J: (e^(s c) - 1)/(V + e^s - 2), s the variance of a "
        "logit, c = meanfield.cosine of layer L",
        lnstab__breaks_head, coherence, lnstab__measure_coherence, LNSTAB__LOSS),
    ROW("meanfield.loss_gradient", "", HEAD,
        "sqrt(E||g_i||^2) at output: sqrt(s (1 + (e^s - 2)/V) + s^2/d)", lnstab__breaks_head,
        loss_gradient, lnstab__measure_loss_gradient, LNSTAB__LOSS),
};

const struct lnstab__claim_list lnstab__gradient_claims = {rows, sizeof rows / sizeof *rows};
