#ifndef LNSTAB_ANALYSIS_NORM_FACTS_H
#define LNSTAB_ANALYSIS_NORM_FACTS_H

#include "analysis/scene.h"

/* What a norm y = scale (gamma z + bias), ||z||^2 <= d, gives for any input and any eps >= 0:
 * theory.md, Bounds on states. */
struct lnstab__norm_facts {
    double gamma;  /* |scale| max|gamma_i|: what it multiplies a difference of two z by, at most */
    double radius; /* >= ||y||                        */
    double mean;   /* >= the mean of |y_i| over i     */
    double deviation; /* >= the standard deviation over i */
};

/* Overwrites the room. */
struct lnstab__norm_facts lnstab__norm_facts_of(const struct lnstab__scene *s,
                                                const struct lnstab__norm_op *norm);

/* The largest 1/s over the rows of its input x. */
double lnstab__norm_largest_rstd(const struct lnstab__scene *s, const struct lnstab__norm_op *norm,
                                 const void *x);

/* Entry i of an array; of absent, where there is none. */
double lnstab__scene_entry(const struct lnstab__scene *s, const void *x, size_t i, double absent);

/* The norms of sublayer k = 1..2L, and at 2L + 1 the final norm: how many there are. */
struct lnstab__placed_norm {
    const struct lnstab__norm_op *norm;
    const void *in, *out;
};

int lnstab__norms_of_sublayer(const struct lnstab__scene *s, int64_t k,
                              struct lnstab__placed_norm out[3]);

/* u: a number is off by u of itself at most when it is rounded to the model's type. */
static inline double lnstab__unit_roundoff(const struct lnstab__scene *s) {
    return s->kernels->size < sizeof(double) ? 0x1p-24 : 0x1p-53;
}

#endif
