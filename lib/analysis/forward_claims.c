#include "analysis/assumptions.h"
#include "analysis/claims.h"
#include "analysis/stream_bounds.h"

/* How far states can get, by the norms there are and, where neither N_out nor N_res is, by norms of weights:
 * theory.md, Bounds on states. */

typedef const struct lnstab__scene *scene_t;
typedef const struct lnstab__claim_arguments *arguments_t;

static struct lnstab__stream_bounds there(scene_t s, arguments_t a) {
    return lnstab__stream_there(s, (int64_t)a->sublayer);
}

static struct lnstab__stream_bounds stated(scene_t s, arguments_t a) {
    return lnstab__stream_bound(s, (int64_t)a->sublayer);
}

static double norm_stated(scene_t s, arguments_t a) {
    return stated(s, a).norm;
}

static double norm_there(scene_t s, arguments_t a) {
    return there(s, a).norm;
}

static double mean_stated(scene_t s, arguments_t a) {
    return stated(s, a).mean;
}

static double mean_there(scene_t s, arguments_t a) {
    return there(s, a).mean;
}

static double deviation_stated(scene_t s, arguments_t a) {
    return stated(s, a).deviation;
}

static double deviation_there(scene_t s, arguments_t a) {
    return there(s, a).deviation;
}

static double spread_stated(scene_t s, arguments_t a) {
    return stated(s, a).spread;
}

static double spread_there(scene_t s, arguments_t a) {
    return there(s, a).spread;
}

#define ROW(name, formula, state, measure)                                                         \
    {                                                                                              \
        name, LNSTAB__AFTER_KAN, "sublayer", "any weights, inputs, gamma, bias, eps",              \
            LNSTAB__INEQUALITY, "<=", formula, lnstab__breaks_branch_bounds, NULL, state, measure, \
            LNSTAB__BRANCHES                                                                       \
    }

static const struct lnstab__claim rows[] = {
    ROW("forward.norm",
        "||x||/sqrt d of any token after sublayer k: N_res gives r = max|gamma| + ||bias||/sqrt d, "
        "N_out |alpha| R + |beta| r; neither, |alpha| R + |beta| f, f what the weights of F bound",
        norm_stated, norm_there),
    ROW("forward.mean",
        "mean |x_i| over the entries of any token after sublayer k: the same with r = "
        "||gamma||/sqrt d + ||bias||_1/d",
        mean_stated, mean_there),
    ROW("forward.deviation",
        "the standard deviation over the entries of any token after sublayer k: the same with r = "
        "max|gamma| + that of bias",
        deviation_stated, deviation_there),
    ROW("forward.spread",
        "sqrt of the mean over tokens of ||x - mean x||^2/d after sublayer k: the same with r = "
        "max|gamma|",
        spread_stated, spread_there),
};

const struct lnstab__claim_list lnstab__forward_claims = {rows, sizeof rows / sizeof *rows};
