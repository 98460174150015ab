#include <math.h>

#include "analysis/assumptions.h"
#include "analysis/claims.h"
#include "analysis/norm_facts.h"

/* Layers as time: v = N_out(F(N_in x)) is a velocity, the costate p of the sum says where it should go, and
 * N_out bounds <p, v>, whatever F is: theory.md, Hamiltonian and alignment. */

typedef const struct lnstab__scene *scene_t;
typedef const struct lnstab__claim_arguments *arguments_t;

struct velocity {
    double along; /* <p, v>    */
    double bias;  /* <p, bias> */
    double reach; /* sqrt d ||centre(gamma p)||: the most that <p, v - bias> can be */
    double doubt; /* of along - bias, by rounding */
};

/* The sublayer with an N_out that is asked about, or NULL. */
static const struct lnstab__sublayer *with_norm_out(scene_t s, int64_t k) {
    const struct lnstab__sublayer *at =
        k > 2 * s->spec->layers ? NULL : lnstab__scene_sublayer(s, k);
    return at && at->norm_out.kind != LNSTAB__NORM_NONE ? at : NULL;
}

/* ||x - mean x||, or ||x|| where that is not to be centred, in units of the largest entry: squares of costates
 * far down a stack may leave the range. */
static double norm_of(size_t n, const double *x, int centred) {
    double unit = 0.0, mean = 0.0, square = 0.0;
    for (size_t j = 0; j < n; ++j) {
        unit = lnstab__larger(unit, fabs(x[j]));
    }
    if (unit == 0.0) {
        return 0.0;
    }
    for (size_t j = 0; centred && j < n; ++j) {
        mean += x[j] / unit / (double)n;
    }
    for (size_t j = 0; j < n; ++j) {
        square += (x[j] / unit - mean) * (x[j] / unit - mean);
    }
    return unit * sqrt(square);
}

static int is_centred(scene_t s) {
    return s->spec->norm == LNSTAB__NORM_LAYER;
}

static double row_norm(scene_t s, const void *x, size_t i, int centred) {
    lnstab__scene_row(s, x, s->width, i, s->room);
    return norm_of(s->width, s->room, centred);
}

static struct velocity velocity_of(scene_t s, const struct lnstab__sublayer *at, size_t i) {
    const struct lnstab__norm_op *norm = &at->norm_out;
    double *p = s->room, *v = s->room + s->width, sizes = 0.0;
    struct velocity out = {0};
    lnstab__scene_row(s, at->sum.grad, s->width, i, p);
    lnstab__scene_row(s, at->f_out.data, s->width, i, v);
    for (size_t j = 0; j < s->width; ++j) {
        const double bias = lnstab__scene_entry(s, norm->bias.data, j, 0.0);
        out.along += p[j] * v[j];
        out.bias += p[j] * bias;
        sizes += fabs(p[j]) * (fabs(v[j]) + fabs(bias));
        p[j] *= lnstab__scene_entry(s, norm->gamma.data, j, 1.0);
    }
    out.reach = sqrt((double)s->width) * norm_of(s->width, p, is_centred(s));
    out.doubt = (4.0 * lnstab__unit_roundoff(s) + (double)s->width * 0x1p-53) * sizes;
    return out;
}

static struct velocity all_of(scene_t s, arguments_t a) {
    const struct lnstab__sublayer *at = with_norm_out(s, (int64_t)a->sublayer);
    struct velocity all = {NAN, NAN, NAN, NAN};
    for (size_t i = 0; at && i < s->rows; ++i) {
        const struct velocity one = velocity_of(s, at, i);
        all = i == 0 ? one
                     : (struct velocity){all.along + one.along, all.bias + one.bias,
                                         all.reach + one.reach, all.doubt + one.doubt};
    }
    return all;
}

static double support_states(scene_t s, arguments_t a) {
    return with_norm_out(s, (int64_t)a->sublayer) ? 1.0 : (double)NAN;
}

/* Tokens that no direction is better for than another have no say. */
static double support_there(scene_t s, arguments_t a) {
    const struct lnstab__sublayer *at = with_norm_out(s, (int64_t)a->sublayer);
    double most = -INFINITY;
    for (size_t i = 0; i < s->rows; ++i) {
        const struct velocity one = velocity_of(s, at, i);
        if (one.reach != 0.0) {
            most = lnstab__larger(most, (one.along - one.bias - one.doubt) / one.reach);
        }
    }
    return most == -INFINITY ? (double)NAN : most;
}

static double largest_states(scene_t s, arguments_t a) {
    const struct velocity all = all_of(s, a);
    return (all.bias + all.reach) / all.reach;
}

static double smallest_states(scene_t s, arguments_t a) {
    const struct velocity all = all_of(s, a);
    return (all.bias - all.reach) / all.reach;
}

static double hamiltonian_there(scene_t s, arguments_t a) {
    const struct velocity all = all_of(s, a);
    return all.along / all.reach;
}

static double alignment_states(scene_t s, arguments_t a) {
    return all_of(s, a).reach > 0.0 ? 1.0 : (double)NAN;
}

static double alignment_there(scene_t s, arguments_t a) {
    const struct velocity all = all_of(s, a);
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
        const double bound = fabs(at->beta) * row_norm(s, at->sum.grad, i, 0) * most;
        const double b = row_norm(s, at->branch.grad, i, 0);
        if (bound != 0.0) {
            share =
                lnstab__larger(share, b * (row_norm(s, at->branch.data, i, is_centred(s)) / bound));
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
