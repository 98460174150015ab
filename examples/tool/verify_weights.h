/* Weights other than those of an initialisation, of float64 models. */
#ifndef TOOL_VERIFY_WEIGHTS_H
#define TOOL_VERIFY_WEIGHTS_H

#include "lnstab.h"

/* Multiplies every matrix; norms and biases stay. */
void weights_scale(lnstab_model *m, double factor);

/* Adds to every parameter independent normal numbers as large as it is: to each matrix its own root mean
 * square, 1 to the gammas, so that a sixth of them become negative, 0.1 to the biases. Of every second norm
 * every fifth gamma becomes 0. */
void weights_perturb(lnstab_model *m, uint64_t seed);

/* Weights that add up instead of cancelling: W_Q = W_K = 0, and 1 on the diagonal of every other matrix, so
 * that ||F|| comes to the product of the norms of its matrices. */
void weights_align(lnstab_model *m, uint64_t seed);

/* Inputs for those: sqrt(d) e_1 for every token but the last, which has the opposite sign; half of it in the
 * sequences of the second half. A norm makes of e_1 the entry sqrt(d - 1), the largest that there is. */
void inputs_align(double *x, int64_t batch, int64_t tokens, int64_t width);

#endif
