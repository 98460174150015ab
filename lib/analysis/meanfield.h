#ifndef LNSTAB_ANALYSIS_MEANFIELD_H
#define LNSTAB_ANALYSIS_MEANFIELD_H

#include "model/spec.h"

/* The mean-field recursion (derived in doc/theory.md): what width -> infinity makes of the states at
 * initialisation, for n tokens drawn from N(0, I). q = E||x_i||^2/d, c = E<x_i, x_j>/d for i != j. */
struct lnstab__moments {
    double q, c;
};

/* One residual update seen so: the input of F, its output, the sum, and what N_res makes of it. */
struct lnstab__meanfield {
    struct lnstab__moments f_in, branch, sum, out;
    double beta;
};

/* The FFN sublayer of layer l = 1..L for n >= 1 tokens. */
struct lnstab__meanfield lnstab__meanfield_ffn(const struct lnstab__spec *spec, int64_t l,
                                               double n);

/* c/q; 0 where there is nothing. */
double lnstab__meanfield_cosine(struct lnstab__moments m);

/* c_f = 2 rho/(1 + rho)^2: the FFN's E||F(x)||^2/E||x||^2 at Xavier initialisation, rho = d_ff/d. */
double lnstab__meanfield_c_f(const struct lnstab__spec *spec);

/* kap(p) = E[ReLU(a) ReLU(b)] of standard normal a, b with correlation p; kap(1) = 1/2. */
double lnstab__meanfield_kap(double p);

#endif
