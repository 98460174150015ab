#include <math.h>

#include "analysis/assumptions.h"
#include "analysis/claims.h"
#include "analysis/meanfield.h"

typedef const struct lnstab__spec *spec_t;
typedef const struct lnstab__claim_arguments *arguments_t;

static struct lnstab__meanfield sublayer(spec_t spec, arguments_t a) {
    return lnstab__meanfield_at(spec, (int64_t)a->sublayer - 1, a->tokens);
}

static struct lnstab__meanfield ffn(spec_t spec, arguments_t a) {
    return lnstab__meanfield_at(spec, 2 * (int64_t)a->layer - 1, a->tokens);
}

static double layer_q(spec_t spec, arguments_t a) {
    return ffn(spec, a).out.q;
}

static double layer_cosine(spec_t spec, arguments_t a) {
    return lnstab__meanfield_cosine(ffn(spec, a).out);
}

/* An entry of W_1 x has variance 2 g_1^2 q/(1 + rho), which ReLU halves. */
static double hidden(spec_t spec, arguments_t a) {
    const struct lnstab__meanfield m = ffn(spec, a);
    return m.first * m.f_in.q * (1.0 - lnstab__meanfield_hidden_share(spec));
}

static double hidden_cosine(spec_t spec, arguments_t a) {
    return 2.0 * lnstab__meanfield_kap(lnstab__meanfield_cosine(ffn(spec, a).f_in));
}

static double state(spec_t spec, arguments_t a) {
    return sublayer(spec, a).out.q;
}

static double state_cosine(spec_t spec, arguments_t a) {
    return lnstab__meanfield_cosine(sublayer(spec, a).out);
}

static double input(spec_t spec, arguments_t a) {
    return sublayer(spec, a).f_in.q;
}

static double branch(spec_t spec, arguments_t a) {
    return sublayer(spec, a).branch.q;
}

static double sum(spec_t spec, arguments_t a) {
    return sublayer(spec, a).sum.q;
}

static double update_ratio(spec_t spec, arguments_t a) {
    const struct lnstab__meanfield m = sublayer(spec, a);
    return sqrt(m.step.q / m.stay.q);
}

#define ROW(name, arguments, formula, function)                                                    \
    {                                                                                              \
        name, "derived", arguments, LNSTAB__MEAN_FIELD, "=", formula, lnstab__breaks_mean_field,   \
            function                                                                               \
    }

static const struct lnstab__claim rows[] = {
    ROW("meanfield.q", "layer tokens",
        "E||x_i||^2/d of the stream after layer l, from the recursion", layer_q),
    ROW("meanfield.cosine", "layer tokens", "E<x_i, x_j>/E||x_i||^2 of two tokens after layer l",
        layer_cosine),
    ROW("meanfield.hidden", "layer tokens",
        "E h_p^2 of a hidden unit of the FFN of layer l: g_1^2 E||f_in||^2/d /(1 + rho)", hidden),
    ROW("meanfield.hidden_cosine", "layer tokens",
        "rho_h = 2 kap(cosine of the inputs of the FFN of layer l)", hidden_cosine),
    ROW("meanfield.state", "sublayer tokens",
        "E||x_i||^2/d after sublayer k = 1..2L; k = 2L + 1 is the final norm, if there is one, "
        "else "
        "nothing",
        state),
    ROW("meanfield.state_cosine", "sublayer tokens",
        "E<x_i, x_j>/E||x_i||^2 of two tokens after sublayer k", state_cosine),
    ROW("meanfield.input", "sublayer tokens", "E||f_in||^2/d, of what F of sublayer k reads",
        input),
    ROW("meanfield.branch", "sublayer tokens", "E||F||^2/d, of F's output, before N_out", branch),
    ROW("meanfield.sum", "sublayer tokens", "E||alpha x + beta N_out(F)||^2/d, before N_res", sum),
    ROW("meanfield.update_ratio", "sublayer tokens",
        "sqrt(E||beta N_out(F)||^2/E||alpha x||^2), before the addition", update_ratio),
};

const struct lnstab__claim_list lnstab__state_claims = {rows, sizeof rows / sizeof *rows};
