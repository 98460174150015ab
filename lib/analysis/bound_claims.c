#include <math.h>

#include "analysis/assumptions.h"
#include "analysis/claims.h"

/* ||x||/sqrt d behind a sublayer that had at most norm before it: a norm with gamma = 1 and bias = 0 gives
 * at most 1, whatever eps >= 0. Without N_out and N_res only the weights bound what F adds. */
static double after(const struct lnstab__spec *spec, int64_t k, double norm) {
    const struct lnstab__placement_row row = lnstab__spec_row(spec, k);
    const double alpha = fabs(lnstab__spec_value(spec, row.alpha, k / 2 + 1));
    const double beta = fabs(lnstab__spec_value(spec, row.beta, k / 2 + 1));
    return row.norm_res                  ? 1.0
           : row.norm_out || beta == 0.0 ? alpha * norm + beta
                                         : (double)INFINITY;
}

static double state_bound(const struct lnstab__spec *spec,
                          const struct lnstab__claim_arguments *a) {
    const int64_t last = (int64_t)a->sublayer;
    double norm = spec->embed_norm ? 1.0 : a->start;
    for (int64_t k = 0; k < last && k < 2 * spec->layers; ++k) {
        norm = after(spec, k, norm);
    }
    return last > 2 * spec->layers && spec->final_norm ? 1.0 : norm;
}

static double state_there(const struct lnstab__scene *s, const struct lnstab__claim_arguments *a) {
    const void *x = lnstab__scene_stream(s, (int64_t)a->sublayer)->data;
    return lnstab__scene_largest(s, x, s->width) / sqrt((double)s->width);
}

static const struct lnstab__claim rows[] = {
    {"bound.state", "derived, after Kan et al. 2025", "sublayer start",
     "gamma 1 and bias 0 in the norms; any weights, inputs, eps", LNSTAB__INEQUALITY, "<=",
     "||x||/sqrt d of any token after sublayer k, if it is at most start at the input: "
     "N_res gives 1, N_out |alpha| ||x||/sqrt d + |beta|; neither, none",
     lnstab__breaks_nothing, state_bound, NULL, state_there, LNSTAB__STATES_OF_PLAIN_NORMS},
};

const struct lnstab__claim_list lnstab__bound_claims = {rows, sizeof rows / sizeof *rows};
