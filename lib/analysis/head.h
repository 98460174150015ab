#ifndef LNSTAB_ANALYSIS_HEAD_H
#define LNSTAB_ANALYSIS_HEAD_H

#include "model/spec.h"

/* The gradient g = sum_k (p_k - [k = y]) w_k that a head drawn at random gives a state x with
 * ||x||^2 = d, for a label y drawn at random among V classes (derived in doc/theory.md). */

/* s, the variance of a logit. */
double lnstab__head_logit_variance(const struct lnstab__spec *spec);

/* E||g||^2, to first order in 1/V. */
double lnstab__head_gradient(const struct lnstab__spec *spec);

/* The mean cosine of the g J of two tokens whose states have this cosine, J the Jacobian of the norm that
 * made them: of what of g is across the state. */
double lnstab__head_coherence(const struct lnstab__spec *spec, double cosine);

#endif
