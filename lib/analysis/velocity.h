#ifndef LNSTAB_ANALYSIS_VELOCITY_H
#define LNSTAB_ANALYSIS_VELOCITY_H

#include "analysis/scene.h"

/* Of a token in a sublayer with an N_out: v what that puts out, p the costate of the sum. theory.md, Hamiltonian
 * and alignment. */
struct lnstab__velocity {
    double along; /* <p, v>    */
    double bias;  /* <p, bias> */
    double reach; /* sqrt d ||centre(gamma p)||: the most that <p, v - bias> can be */
    double doubt; /* of along - bias, by rounding */
};

struct lnstab__velocity lnstab__velocity_of(const struct lnstab__scene *s,
                                            const struct lnstab__sublayer *at, size_t i);

/* The sum over all tokens. */
struct lnstab__velocity lnstab__velocity_sum(const struct lnstab__scene *s,
                                             const struct lnstab__sublayer *at);

/* ||x_i||, or ||x_i - mean x_i|| where centred, of rows of width entries whose squares may leave the range. */
double lnstab__row_norm(const struct lnstab__scene *s, const void *x, size_t i, int centred);

#endif
