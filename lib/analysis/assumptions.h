#ifndef LNSTAB_ANALYSIS_ASSUMPTIONS_H
#define LNSTAB_ANALYSIS_ASSUMPTIONS_H

#include "model/spec.h"

/* Each tells the first thing in a configuration that a statement does not cover, or NULL. */

/* Uniform attention over all tokens and Xavier weights: what the mean-field recursion needs. */
const char *lnstab__breaks_mean_field(const struct lnstab__spec *spec);

/* Xiong 2020's setting: the above, one head, no W_O, no biases, kappa = alpha = beta = 1, gains 1, and
 * the norms of post-LN, of pre-LN, of either. */
const char *lnstab__breaks_post_or_pre(const struct lnstab__spec *spec);

int lnstab__is_post(const struct lnstab__spec *spec);

/* Nothing is assumed. */
const char *lnstab__breaks_nothing(const struct lnstab__spec *spec);

#endif
