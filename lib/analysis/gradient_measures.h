#ifndef LNSTAB_ANALYSIS_GRADIENT_MEASURES_H
#define LNSTAB_ANALYSIS_GRADIENT_MEASURES_H

#include "analysis/scene.h"

/* What a model has instead of what gradient_claims.c predicts. With c_i the costates of the mean loss at
 * output and g_i = counted c_i those of the tokens' own losses,
 *     costate         ||costates of in of sublayer k|| / ||c||, over all tokens
 *     costate_cosine  of two tokens of those
 *     w_v ...         ||dLoss/dW||_F over the root mean square of ||g_i||, of the tokens counted
 *     rank_one        the root mean square over tokens of ||h_i|| ||b_i||/||c_i||, h_i the hidden vector and
 *                     b_i the costate of the branch in the FFN of layer L; c_i = 0 left out
 *     loss_gradient   the root mean square of ||g_i||, of the tokens counted
 *     coherence       that of the costates behind the last norm
 * One token's loss is the mean of one: the same. */
lnstab__measure_fn lnstab__measure_costate, lnstab__measure_costate_cosine, lnstab__measure_w_v,
    lnstab__measure_w_o, lnstab__measure_w_1, lnstab__measure_w_2, lnstab__measure_rank_one,
    lnstab__measure_loss_gradient, lnstab__measure_coherence;

#endif
