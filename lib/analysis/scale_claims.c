#include <math.h>

#include "analysis/claims.h"

typedef const struct lnstab__spec *spec_t;
typedef const struct lnstab__claim_arguments *arguments_t;

static const char *breaks_homogeneity(spec_t spec) {
    return spec->eps > 0.0 ? "eps must be 0" : NULL;
}

/* Without N_out the size of the last matrix is the size of the branch. */
static double with_norm_out(spec_t spec, arguments_t a, double value) {
    const int64_t k = (int64_t)a->sublayer - 1;
    return k < 2 * spec->layers && lnstab__spec_row(spec, k).norm_out ? value : (double)NAN;
}

static double state(spec_t spec, arguments_t a) {
    return with_norm_out(spec, a, 0.0);
}

static double gradient(spec_t spec, arguments_t a) {
    return with_norm_out(spec, a, 1.0);
}

#define ROW(name, formula, predict)                                                                \
    {                                                                                              \
        name, "derived", "sublayer", "eps=0, N_out in sublayer k; any weights and inputs",         \
            LNSTAB__IDENTITY, "=", formula, breaks_homogeneity, predict, NULL, NULL, ""            \
    }

static const struct lnstab__claim rows[] = {
    ROW("scale.state",
        "||output' - output||/||output|| = 0 where the last matrix and bias of the branch of "
        "sublayer k are multiplied by c > 0: W_2, W_O, or W_V without W_O",
        state),
    ROW("scale.gradient", "c ||dLoss/dW'||/||dLoss/dW|| = 1 of that matrix, W' = c W", gradient),
};

const struct lnstab__claim_list lnstab__scale_claims = {rows, sizeof rows / sizeof *rows};
