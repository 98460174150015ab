#ifndef LNSTAB_ANALYSIS_ASSUMPTIONS_H
#define LNSTAB_ANALYSIS_ASSUMPTIONS_H

#include "model/spec.h"

/* Each tells the first thing in a configuration that a statement does not cover, or NULL. */

/* Uniform attention over all tokens and Xavier weights: what the mean-field recursion needs. */
const char *lnstab__breaks_mean_field(const struct lnstab__spec *spec);

/* Inputs N(0, I) that reach layer 1 as they are. */
const char *lnstab__breaks_gaussian_inputs(const struct lnstab__spec *spec);

/* Xavier weights, ReLU, no gate: what an FFN's hidden units need. */
const char *lnstab__breaks_xavier_relu(const struct lnstab__spec *spec);

/* Mean field, and that there is a W_O. */
const char *lnstab__breaks_w_o(const struct lnstab__spec *spec);

/* Mean field, and what a loss's gradient at the output needs: a norm at the end, a head of its own, and
 * classes enough that a softmax is its mean over them. */
const char *lnstab__breaks_head(const struct lnstab__spec *spec);

/* Xiong 2020's setting: mean field, one head, no W_O, no biases, kappa = alpha = beta = 1, gains 1, and
 * the norms of post-LN, of pre-LN, of either. */
const char *lnstab__breaks_post_or_pre(const struct lnstab__spec *spec);

int lnstab__is_post(const struct lnstab__spec *spec);

/* LayerNorm. */
const char *lnstab__breaks_layer_norm(const struct lnstab__spec *spec);

/* What norms of weights bound: no gated FFN, unless a norm bounds what it adds; no gated FFN at all, and no
 * norms of queries and keys. */
const char *lnstab__breaks_branch_bounds(const struct lnstab__spec *spec);
const char *lnstab__breaks_lipschitz(const struct lnstab__spec *spec);

/* Nothing is assumed. */
const char *lnstab__breaks_nothing(const struct lnstab__spec *spec);

#endif
