/* Claims that two models are needed for, which no single call of the library measures. */
#ifndef TOOL_VERIFY_SCALE_H
#define TOOL_VERIFY_SCALE_H

#include "verify_claims.h"

#include "lnstab.h"

/* How a model is run: forward, loss and backward from gradients of 0. False: see the model. */
typedef bool run_model(void *user, lnstab_model *m);

/* Is the claim measured here? */
bool scale_measures(const struct claim *c);

/* What is measured of sublayer k = 1..2L, on a model that was run. It is left with the weights it had, but
 * run with others. NaN where there is nothing to measure; false if it could not be run. */
bool scale_measure(const struct claim *c, lnstab_model *m, int64_t k, run_model *run, void *user,
                   double *measured);

#endif
