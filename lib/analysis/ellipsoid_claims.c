#include <math.h>

#include "analysis/assumptions.h"
#include "analysis/claims.h"
#include "analysis/norm_facts.h"

/* LayerNorm and RMSNorm send everything into an ellipsoid, whatever their input: theory.md, Bounds on states.
 *
 * An output v = fl(scale (gamma z + bias)) tells z to (|v/scale| + |bias|)/|gamma| times some roundings, which is
 * much where gamma is small beside the bias. What that explains is no part of what is measured. */

typedef const struct lnstab__scene *scene_t;
typedef const struct lnstab__claim_arguments *arguments_t;

enum { ROUNDINGS = 4 };

struct row {
    double square, sum, largest; /* of z where gamma is not 0 */
    double doubt;                /* the sum of the errors that rounding may have made of z */
};

static struct row row_of(scene_t s, const struct lnstab__placed_norm *at, size_t i) {
    const struct lnstab__norm_op *norm = at->norm;
    const double unit = ROUNDINGS * lnstab__unit_roundoff(s);
    struct row out = {0};
    lnstab__scene_row(s, at->out, norm->width, i, s->room);
    for (size_t j = 0; j < norm->width; ++j) {
        const double gamma = lnstab__scene_entry(s, norm->gamma.data, j, 1.0);
        const double bias = lnstab__scene_entry(s, norm->bias.data, j, 0.0);
        const double v = s->room[j] / norm->scale, z = (v - bias) / gamma;
        const double doubt = unit * (fabs(v) + fabs(bias)) / fabs(gamma);
        const double size = fabs(z) < doubt ? 0.0 : fabs(z) - doubt;
        if (gamma != 0.0) {
            out.square += size * size;
            out.sum += z;
            out.largest = lnstab__larger(out.largest, size);
            out.doubt += doubt;
        }
    }
    return out;
}

static double share_of(const struct row *r, double d) {
    return r->square / d;
}

static double imbalance(const struct row *r, double d) {
    return fabs(r->sum) < r->doubt ? 0.0 : (fabs(r->sum) - r->doubt) / d;
}

static double entry_of(const struct row *r, double d) {
    (void)d;
    return r->largest;
}

static int has_zero(scene_t s, const struct lnstab__norm_op *norm) {
    size_t zeros = 0;
    for (size_t j = 0; j < norm->width; ++j) {
        zeros += lnstab__scene_entry(s, norm->gamma.data, j, 1.0) == 0.0;
    }
    return zeros > 0;
}

/* The norms there that are asked about; a norm that is multiplied by 0 tells nothing. */
static int norms_of(scene_t s, arguments_t a, int whole, struct lnstab__placed_norm out[3]) {
    const int all = lnstab__norms_of_sublayer(s, (int64_t)a->sublayer, out);
    int count = 0;
    for (int i = 0; i < all; ++i) {
        if (out[i].norm->scale != 0.0 && !(whole && has_zero(s, out[i].norm))) {
            out[count++] = out[i];
        }
    }
    return count;
}

static double largest(scene_t s, arguments_t a, int whole,
                      double (*of)(const struct row *r, double d)) {
    struct lnstab__placed_norm at[3];
    const int count = norms_of(s, a, whole, at);
    double most = 0.0;
    for (int i = 0; i < count; ++i) {
        for (size_t j = 0; j < s->rows; ++j) {
            const struct row r = row_of(s, &at[i], j);
            most = lnstab__larger(most, of(&r, (double)s->width));
        }
    }
    return most;
}

/* value, if there is a norm that the claim is about. */
static double where_a_norm_is(scene_t s, arguments_t a, int whole, double value) {
    struct lnstab__placed_norm at[3];
    return norms_of(s, a, whole, at) > 0 ? value : (double)NAN;
}

static double norm_states(scene_t s, arguments_t a) {
    return where_a_norm_is(s, a, 0, 1.0);
}

static double norm_there(scene_t s, arguments_t a) {
    return largest(s, a, 0, share_of);
}

static double sum_states(scene_t s, arguments_t a) {
    return where_a_norm_is(s, a, 1, 0.0);
}

static double sum_there(scene_t s, arguments_t a) {
    return largest(s, a, 1, imbalance);
}

static double entry_states(scene_t s, arguments_t a) {
    const double free = (double)s->width - (s->spec->norm == LNSTAB__NORM_LAYER);
    return where_a_norm_is(s, a, 0, sqrt(free));
}

static double entry_there(scene_t s, arguments_t a) {
    return largest(s, a, 0, entry_of);
}

#define ROW(name, kind, relation, formula, broken, state, measure)                                 \
    {                                                                                              \
        name, LNSTAB__AFTER_KAN, "sublayer", "any weights, inputs, gamma, bias, eps", kind,        \
            relation, formula, broken, NULL, state, measure, LNSTAB__STATES                        \
    }

static const struct lnstab__claim rows[] = {
    ROW("ellipsoid.norm", LNSTAB__INEQUALITY, "<=",
        "the sum of ((v_i - bias_i)/gamma_i)^2, gamma_i not 0, over d, v the output of a norm of "
        "sublayer k: the largest, over its norms and tokens",
        lnstab__breaks_nothing, norm_states, norm_there),
    ROW("ellipsoid.sum", LNSTAB__IDENTITY, "=",
        "|the sum of (v_i - bias_i)/gamma_i| over d: the largest, over the norms of sublayer k "
        "that "
        "have no gamma_i = 0, and tokens",
        lnstab__breaks_layer_norm, sum_states, sum_there),
    ROW("ellipsoid.entry", LNSTAB__INEQUALITY, "<=",
        "|v_i - bias_i|/|gamma_i|, gamma_i not 0: at most sqrt(d - 1), RMSNorm sqrt d; the "
        "largest, "
        "over the norms of sublayer k, tokens and i",
        lnstab__breaks_nothing, entry_states, entry_there),
};

const struct lnstab__claim_list lnstab__ellipsoid_claims = {rows, sizeof rows / sizeof *rows};
