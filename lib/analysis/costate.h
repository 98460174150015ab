#ifndef LNSTAB_ANALYSIS_COSTATE_H
#define LNSTAB_ANALYSIS_COSTATE_H

#include "analysis/meanfield.h"

/* The mean field of gradients (derived in doc/theory.md). The costates of a state are p_i = dLoss/dx_i, of
 * the sum of n tokens' losses; with g_i = dL_i/d output and J what is behind the last sublayer, those at
 * the output have E||p_i||^2 = 1 and E<p_i, p_j> = coherence, of g_i J, for i != j. */

/* E||p_i||^2 and E<p_i, p_j> where sublayer k = 0..2L begins; 2L is the final norm. */
struct lnstab__moments lnstab__costate_at(const struct lnstab__spec *spec, int64_t k, double n,
                                          double coherence);

/* E||dLoss/dW||^2, Frobenius, of the mean of the losses, for the matrix that gain tells, in layer
 * l = 1..L; 0 for W_Q and W_K. One token's loss has n times the value for coherence 0. */
double lnstab__costate_gradient(const struct lnstab__spec *spec, enum lnstab__gain matrix,
                                int64_t l, double n, double coherence);

#endif
