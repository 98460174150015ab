#include "analysis/assumptions.h"
#include "analysis/claims.h"
#include "analysis/sensitivity.h"
#include "analysis/stream_bounds.h"

/* Jacobians of sublayers and of the stack, and what norms and weights let them be: theory.md, Backward bounds. */

typedef const struct lnstab__scene *scene_t;
typedef const struct lnstab__claim_arguments *arguments_t;

/* ||d to/d from||_2 over all tokens, from below. */
static double spectral_norm(scene_t s, int64_t from, int64_t to) {
    return lnstab__block_norm((struct lnstab__block){s->m, (int)from, (int)to, 0, s->rows});
}

static double local_stated(scene_t s, arguments_t a) {
    return lnstab__sublayer_lipschitz(s, (int64_t)a->sublayer, LNSTAB__AT_THE_POINT);
}

static double local_there(scene_t s, arguments_t a) {
    return spectral_norm(s, (int64_t)a->sublayer - 1, (int64_t)a->sublayer);
}

static double product_stated(scene_t s, arguments_t a) {
    return lnstab__stream_lipschitz(s, (int64_t)a->sublayer, LNSTAB__AT_THE_POINT);
}

static double product_there(scene_t s, arguments_t a) {
    return spectral_norm(s, 0, (int64_t)a->sublayer);
}

#define ROW(name, formula, state, measure)                                                         \
    {                                                                                              \
        name, "derived, after Kan et al. 2025 and Kim et al. 2025", "sublayer",                    \
            "gated=0 qk_norm=none; any weights, inputs, gamma, bias, eps", LNSTAB__INEQUALITY,     \
            "<=", formula, lnstab__breaks_lipschitz, NULL, state, measure, LNSTAB__JACOBIANS       \
    }

static const struct lnstab__claim rows[] = {
    ROW("local.jacobian",
        "||d out/d in||_2 of sublayer k <= g_res (|alpha| + |beta| g_out Lip(F) g_in), g = "
        "max|gamma|/s with the smallest s of the tokens, 1 without that norm, g_in with |kappa|",
        local_stated, local_there),
    ROW("product.jacobian",
        "||d out/d embed.out||_2 of sublayer k <= the product of local.jacobian of sublayers 1..k",
        product_stated, product_there),
};

const struct lnstab__claim_list lnstab__lipschitz_claims = {rows, sizeof rows / sizeof *rows};
