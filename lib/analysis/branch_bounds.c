#include "analysis/branch_bounds.h"

#include <math.h>

#include "analysis/attention_bounds.h"
#include "analysis/attention_offsets.h"
#include "analysis/known_norms.h"
#include "analysis/norm_facts.h"

/* GELU's slope Phi(u) + u phi(u) is largest at u = sqrt 2; the others at 1.41850 and 2.39936. */
double lnstab__activation_slope(enum lnstab__activation act) {
    static const double most[] = {[LNSTAB__RELU] = 1.0,
                                  [LNSTAB__GELU] = 1.12890414518516,
                                  [LNSTAB__GELU_TANH] = 1.12899306865878,
                                  [LNSTAB__SILU] = 1.09983932012887};
    return most[act];
}

static double matrix_norm(const struct lnstab__scene *s, const struct lnstab__linear *w) {
    const struct lnstab__weight all = {
        .data = w->weight.data, .rows = w->out, .columns = w->in, .stride = w->in};
    return lnstab__known_weight_norm(s->m, all);
}

static double bias_norm(const struct lnstab__scene *s, const struct lnstab__linear *w) {
    return w->bias.data ? lnstab__scene_norm(s, w->bias.data, w->out, 0) : 0.0;
}

/* |act(u)| <= |u| */
static struct lnstab__branch_bounds ffn_bounds(const struct lnstab__scene *s,
                                               const struct lnstab__ffn *f, double r) {
    const double w_1 = matrix_norm(s, &f->w_1), w_2 = matrix_norm(s, &f->w_2);
    return (struct lnstab__branch_bounds){
        .largest = w_2 * (w_1 * r + bias_norm(s, &f->w_1)) + bias_norm(s, &f->w_2),
        .about = lnstab__activation_slope(f->activation) * w_1 * w_2 * r};
}

/* What heads make of it: W_O adds them up; without it each has columns of its own. */
static double combined(const struct lnstab__attention *f, double all, double one) {
    return f->w_o.weight.data ? all + one : hypot(all, one);
}

/* A query that sees no key gets b_O alone. */
static struct lnstab__branch_bounds attention_bounds(const struct lnstab__scene *s,
                                                     const struct lnstab__attention *f, double r) {
    const struct lnstab__offset_norms offset = lnstab__attention_offsets(s, f);
    const int is_blind = lnstab__has_blind_query(s);
    double all = 0.0;
    for (size_t h = 0; h < f->heads; ++h) {
        all = combined(f, all, lnstab__head_values(s, f, h).value);
    }
    return (struct lnstab__branch_bounds){
        .largest = lnstab__larger(all * r + offset.with, is_blind ? offset.alone : 0.0),
        .about = lnstab__larger(all * r, is_blind ? offset.values : 0.0)};
}

struct lnstab__branch_bounds lnstab__branch_bounds_of(const struct lnstab__scene *s,
                                                      const struct lnstab__sublayer *at, double r) {
    return at->f == &lnstab__ffn_branch ? ffn_bounds(s, &at->of.ffn, r)
                                        : attention_bounds(s, &at->of.attention, r);
}

/* c ( 1 + r (r M + key) ) + r (r M + query), times ||W_V W_O||; c = 1/2-power of the largest column sum that
 * weights can have: T unless they depend on no input. */
static double head_lipschitz(const struct lnstab__scene *s, const struct lnstab__attention *f,
                             size_t h, double r, enum lnstab__validity where) {
    const struct lnstab__head_bounds b = lnstab__head_bounds_of(s, f, h);
    const int is_fixed = b.score == 0.0 && b.key == 0.0 && b.query == 0.0;
    const double c = where == LNSTAB__AT_THE_POINT || is_fixed ? lnstab__head_spread(s, f, h)
                                                               : sqrt((double)s->tokens);
    return b.value * (c * (1.0 + r * (r * b.score + b.key)) + r * (r * b.score + b.query));
}

double lnstab__branch_lipschitz(const struct lnstab__scene *s, const struct lnstab__sublayer *at,
                                enum lnstab__validity where) {
    const struct lnstab__attention *f = &at->of.attention;
    const double r = lnstab__scene_largest(s, at->f_in.data, s->width);
    double all = 0.0;
    if (at->f == &lnstab__ffn_branch) {
        return lnstab__activation_slope(at->of.ffn.activation) * matrix_norm(s, &at->of.ffn.w_1) *
               matrix_norm(s, &at->of.ffn.w_2);
    }
    for (size_t h = 0; h < f->heads; ++h) {
        all = combined(f, all, head_lipschitz(s, f, h, r, where));
    }
    return all;
}
