#include <math.h>

#include "analysis/assumptions.h"
#include "analysis/claims.h"
#include "analysis/meanfield.h"

typedef const struct lnstab__spec *spec_t;
typedef const struct lnstab__scene *scene_t;
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

/* E||x_i||^2/width over the tokens. */
static double mean_square(scene_t s, const void *x, size_t width) {
    return lnstab__scene_total(s, x, width) / (double)s->rows / (double)width;
}

static const struct lnstab__sublayer *sublayer_in(scene_t s, arguments_t a) {
    return lnstab__scene_sublayer(s, (int64_t)a->sublayer);
}

static int is_final_norm(scene_t s, arguments_t a) {
    return a->sublayer > 2.0 * (double)s->spec->layers;
}

static double state_there(scene_t s, arguments_t a) {
    return mean_square(s, lnstab__scene_stream(s, (int64_t)a->sublayer)->data, s->width);
}

static double state_cosine_there(scene_t s, arguments_t a) {
    return lnstab__scene_cosine(s, lnstab__scene_stream(s, (int64_t)a->sublayer)->data, s->width);
}

static double q_there(scene_t s, arguments_t a) {
    return mean_square(s, lnstab__scene_stream(s, 2 * (int64_t)a->layer)->data, s->width);
}

static double cosine_there(scene_t s, arguments_t a) {
    return lnstab__scene_cosine(s, lnstab__scene_stream(s, 2 * (int64_t)a->layer)->data, s->width);
}

static const void *hidden_of(scene_t s, arguments_t a) {
    return lnstab__scene_sublayer(s, 2 * (int64_t)a->layer)->of.ffn.hidden.data;
}

static double hidden_there(scene_t s, arguments_t a) {
    return mean_square(s, hidden_of(s, a), (size_t)s->spec->ffn_width);
}

static double hidden_cosine_there(scene_t s, arguments_t a) {
    return lnstab__scene_cosine(s, hidden_of(s, a), (size_t)s->spec->ffn_width);
}

/* The final norm is an update without a branch, whose sum is its input. */
static double input_there(scene_t s, arguments_t a) {
    return is_final_norm(s, a) ? 0.0 : mean_square(s, sublayer_in(s, a)->f_in.data, s->width);
}

static double branch_there(scene_t s, arguments_t a) {
    return is_final_norm(s, a) ? 0.0 : mean_square(s, sublayer_in(s, a)->branch.data, s->width);
}

static double sum_there(scene_t s, arguments_t a) {
    const struct lnstab__state *sum_of = is_final_norm(s, a)
                                             ? lnstab__scene_stream(s, 2 * s->spec->layers)
                                             : &sublayer_in(s, a)->sum;
    return mean_square(s, sum_of->data, s->width);
}

static double update_ratio_there(scene_t s, arguments_t a) {
    if (is_final_norm(s, a)) {
        return 0.0;
    }
    const struct lnstab__sublayer *at = sublayer_in(s, a);
    return fabs(at->beta / at->alpha) *
           sqrt(mean_square(s, at->f_out.data, s->width) / mean_square(s, at->in.data, s->width));
}

#define ROW(name, arguments, formula, predict, measure)                                            \
    {                                                                                              \
        name, "derived", arguments, LNSTAB__MEAN_FIELD, LNSTAB__LIMIT, "=", formula,               \
            lnstab__breaks_mean_field, predict, NULL, measure, LNSTAB__STATES_OF_ALL_TOKENS        \
    }

static const struct lnstab__claim rows[] = {
    ROW("meanfield.q", "layer tokens",
        "E||x_i||^2/d of the stream after layer l, from the recursion", layer_q, q_there),
    ROW("meanfield.cosine", "layer tokens", "E<x_i, x_j>/E||x_i||^2 of two tokens after layer l",
        layer_cosine, cosine_there),
    ROW("meanfield.hidden", "layer tokens",
        "E h_p^2 of a hidden unit of the FFN of layer l: g_1^2 E||f_in||^2/d /(1 + rho)", hidden,
        hidden_there),
    ROW("meanfield.hidden_cosine", "layer tokens",
        "rho_h = 2 kap(cosine of the inputs of the FFN of layer l)", hidden_cosine,
        hidden_cosine_there),
    ROW("meanfield.state", "sublayer tokens",
        "E||x_i||^2/d after sublayer k = 1..2L; k = 2L + 1 is the final norm, if there is one, "
        "else "
        "nothing",
        state, state_there),
    ROW("meanfield.state_cosine", "sublayer tokens",
        "E<x_i, x_j>/E||x_i||^2 of two tokens after sublayer k", state_cosine, state_cosine_there),
    ROW("meanfield.input", "sublayer tokens", "E||f_in||^2/d, of what F of sublayer k reads", input,
        input_there),
    ROW("meanfield.branch", "sublayer tokens", "E||F||^2/d, of F's output, before N_out", branch,
        branch_there),
    ROW("meanfield.sum", "sublayer tokens", "E||alpha x + beta N_out(F)||^2/d, before N_res", sum,
        sum_there),
    ROW("meanfield.update_ratio", "sublayer tokens",
        "sqrt(E||beta N_out(F)||^2/E||alpha x||^2), before the addition", update_ratio,
        update_ratio_there),
};

const struct lnstab__claim_list lnstab__state_claims = {rows, sizeof rows / sizeof *rows};
