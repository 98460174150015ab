/* What a finite width may add to a prediction of mean field, which is exact as d grows.
 *
 * The predictions carry sqrt(1 - k/d) for the k directions that the norms remove. What is left is
 * c/d: 200 seeds at d = 64 and at 128, L = 1..12, rho = 1 and 4, gave the same c at both widths, for
 * ||dL_i/dW_2||/||g_i|| -0.4 (post), 0.4 (pre), 1.0 (peri) and 1.4 (peri, beta = 0.1), for the raw norm
 * up to 1.9, for the state 0; the largest in one cell was 2.5 +- 0.3, and no c grew with L. 3/d is
 * allowed: 5 % at d = 64, 1.2 % at d = 256. A peri model without its N_out is 16 % off at L = 1,
 * rho = 4, and a beta of 0.1 that is not applied is off by a factor of 6. */
#ifndef TOOL_ALLOWANCE_H
#define TOOL_ALLOWANCE_H

#include <stdint.h>

#define ALLOWANCE_FACTOR 3.0

static inline double allowance(int64_t width) {
    return ALLOWANCE_FACTOR / (double)width;
}

#endif
