#ifndef LNSTAB_ANALYSIS_LEMMA_MEASURES_H
#define LNSTAB_ANALYSIS_LEMMA_MEASURES_H

#include "analysis/scene.h"

/* What a model has instead of what lemma_claims.c states, over all its tokens:
 *     hidden          the mean of h^2 over hidden units and tokens, FFN of a layer
 *     norm_exact      the largest ||J||_2 s/max|gamma|, over the norms of a sublayer
 *     norm_printed    the largest ||J||_2 ||x||/sqrt d
 *     projection      the largest ||I - a^T a||_2, a = x/||x||, of the state behind a sublayer
 *     markov          the share with ||x||^2 <= level times its mean, x before the last norm
 *     input_tail      the share with ||x||^2 > (1 + epsilon) d, x the input of layer 1
 *     reported_tail   the share with ||x||^2 > 1.1 times its mean, x before the last norm */
lnstab__measure_fn lnstab__measure_hidden, lnstab__measure_norm_exact, lnstab__measure_norm_printed,
    lnstab__measure_projection, lnstab__measure_markov, lnstab__measure_input_tail,
    lnstab__measure_reported_tail;

/* What roundings can make of a ||x||^2 and of their mean, of it; markov is about what is below by more. */
double lnstab__markov_doubt(const struct lnstab__scene *s);

#endif
