#include <math.h>

#include "analysis/assumptions.h"
#include "analysis/claims.h"
#include "analysis/norm_facts.h"
#include "analysis/velocity.h"

/* Layers as time: v = N_out(F(N_in x)) is a velocity, the costate p of the sum says where it should go, and
 * N_out bounds <p, v>, whatever F is: theory.md, Hamiltonian and alignment. */

typedef const struct lnstab__scene *scene_t;
typedef const struct lnstab__claim_arguments *arguments_t;

/* The sublayer with an N_out that is asked about, or NULL. */
static const struct lnstab__sublayer *with_norm_out(scene_t s, int64_t k) {
    const struct lnstab__sublayer *at =
        k > 2 * s->spec->layers ? NULL : lnstab__scene_sublayer(s, k);
    return at && at->norm_out.kind != LNSTAB__NORM_NONE ? at : NULL;
}

static struct lnstab__velocity all_of(scene_t s, arguments_t a) {
    const struct lnstab__sublayer *at = with_norm_out(s, (int64_t)a->sublayer);
    const struct lnstab__velocity none = {NAN, NAN, NAN, NAN};
    return at ? lnstab__velocity_sum(s, at) : none;
}

static double support_states(scene_t s, arguments_t a) {
    return with_norm_out(s, (int64_t)a->sublayer) ? 1.0 : (double)NAN;
}

/* Tokens that no direction is better for than another have no say. */
static double support_there(scene_t s, arguments_t a) {
    const struct lnstab__sublayer *at = with_norm_out(s, (int64_t)a->sublayer);
    double most = -INFINITY;
    for (size_t i = 0; i < s->rows; ++i) {
        const struct lnstab__velocity one = lnstab__velocity_of(s, at, i);
        if (one.reach != 0.0) {
            most = lnstab__larger(most, (one.along - one.bias - one.doubt) / one.reach);
        }
    }
    return most == -INFINITY ? (double)NAN : most;
}

static double largest_states(scene_t s, arguments_t a) {
    const struct lnstab__velocity all = all_of(s, a);
    return (all.bias + all.reach) / all.reach;
}

static double smallest_states(scene_t s, arguments_t a) {
    const struct lnstab__velocity all = all_of(s, a);
    return (all.bias - all.reach) / all.reach;
}

static double hamiltonian_there(scene_t s, arguments_t a) {
    const struct lnstab__velocity all = all_of(s, a);
    return all.along / all.reach;
}

static double alignment_states(scene_t s, arguments_t a) {
    return all_of(s, a).reach > 0.0 ? 1.0 : (double)NAN;
}

static double alignment_there(scene_t s, arguments_t a) {
    const struct lnstab__velocity all = all_of(s, a);
    return (all.bias - all.along - all.doubt) / all.reach;
}

static const struct lnstab__sublayer *ffn_of(scene_t s, arguments_t a) {
    return with_norm_out(s, 2 * (int64_t)a->layer);
}

static double w_2_states(scene_t s, arguments_t a) {
    return ffn_of(s, a) ? 1.0 : (double)NAN;
}

static double w_2_there(scene_t s, arguments_t a) {
    const struct lnstab__sublayer *at = ffn_of(s, a);
    const double most = lnstab__norm_facts_of(s, &at->norm_out).gamma * sqrt((double)s->width);
    double share = -INFINITY;
    for (size_t i = 0; i < s->rows; ++i) {
        const double bound = fabs(at->beta) * lnstab__row_norm(s, at->sum.grad, i, 0) * most;
        const double b = lnstab__row_norm(s, at->branch.grad, i, 0);
        if (bound != 0.0) {
            share = lnstab__larger(
                share,
                b * (lnstab__row_norm(s, at->branch.data, i, s->spec->norm == LNSTAB__NORM_LAYER) /
                     bound));
        }
    }
    return share == -INFINITY ? (double)NAN : share;
}

#define ROW(name, source, arguments, relation, formula, state, measure)                            \
    {                                                                                              \
        name, source, arguments, "an N_out; any weights, inputs, gamma, bias, eps",                \
            LNSTAB__INEQUALITY, relation, formula, lnstab__breaks_nothing, NULL, state, measure,   \
            LNSTAB__COSTATES                                                                       \
    }

static const struct lnstab__claim rows[] = {
    ROW("support.velocity", LNSTAB__AFTER_KAN, "sublayer", "<=",
        "<p, v - bias>/(sqrt d ||centre(gamma p)||), v the output of N_out of sublayer k, p the "
        "costate of the sum: the largest, over tokens; RMSNorm: no centring",
        support_states, support_there),
    ROW("hamiltonian.largest", LNSTAB__AFTER_KAN, "sublayer", "<=",
        "H = sum over tokens of <p, v>, over r = sum of sqrt d ||centre(gamma p)||: at most "
        "(sum <p, bias> + r)/r",
        largest_states, hamiltonian_there),
    ROW("hamiltonian.smallest", LNSTAB__AFTER_KAN, "sublayer",
        ">=", "H over r: at least (sum <p, bias> - r)/r", smallest_states, hamiltonian_there),
    ROW("hamiltonian.alignment", LNSTAB__AFTER_KAN, "sublayer",
        "<=", "-sum <p, v - bias>/r: 1 where every velocity lowers the loss fastest",
        alignment_states, alignment_there),
    ROW("peri.w_2", "derived, after Kim et al. 2025", "layer", "<=",
        "||b|| ||F - mean F||/(|beta| ||p|| max|gamma| sqrt d), b the costate of what the FFN of "
        "layer l puts out, before N_out: the largest, over tokens; RMSNorm: no mean",
        w_2_states, w_2_there),
};

const struct lnstab__claim_list lnstab__alignment_claims = {rows, sizeof rows / sizeof *rows};
