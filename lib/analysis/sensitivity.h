#ifndef LNSTAB_ANALYSIS_SENSITIVITY_H
#define LNSTAB_ANALYSIS_SENSITIVITY_H

#include "model/model.h"

/* The block of d to/d from that is of rows first..first + rows - 1 of both; rows are tokens, b T + t. from, to:
 * positions along the stream. theory.md, Sensitivity. */
struct lnstab__block {
    const lnstab_model *m;
    int from, to;
    size_t first, rows;
};

/* The k largest singular values: see math/lanczos.h. Needs the room of krylov >= 2 k. */
struct lnstab__lanczos_result lnstab__block_singular_values(struct lnstab__block block, size_t k,
                                                            double *sigma, double *residual);

/* The largest one from below, by a residual of 1e-5 of it, whose square is how far off it is. Needs the room of krylov
 * >= 2. */
double lnstab__block_norm(struct lnstab__block block);

struct lnstab__estimate {
    double value, standard_error;
};

/* ||J||_F by Hutchinson's estimate of ||J||_F^2, from so many probes of random signs, 2 or more. */
struct lnstab__estimate lnstab__block_frobenius(struct lnstab__block block, uint32_t probes,
                                                uint64_t seed);

#endif
