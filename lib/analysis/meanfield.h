#ifndef LNSTAB_ANALYSIS_MEANFIELD_H
#define LNSTAB_ANALYSIS_MEANFIELD_H

#include "model/spec.h"

/* The mean-field recursion (derived in doc/theory.md): what width -> infinity makes of the states at
 * initialisation, for n tokens drawn from N(0, I). q = E||x_i||^2/d, c = E<x_i, x_j>/d for i != j. */
struct lnstab__moments {
    double q, c;
};

/* One residual update seen so: its input x, that of F, F's output, alpha x, beta N_out(F), their sum, and
 * what N_res makes of it. first and last are the squared gains of F's two matrices, gain is E||F(x)||^2 for
 * E||x||^2 = 1 where tokens do not mix. A norm divides a gradient by what it divides a state by:
 *
 *     in <-- entered -- f_in <-- F -- branch <-- passed -- out       and  in <-- kept -- out
 *
 * are the factors of a squared gradient on its way down. */
struct lnstab__meanfield {
    struct lnstab__moments in, f_in, branch, stay, step, sum, out;
    double first, last, gain, entered, passed, kept;
    int is_ffn;
};

/* Sublayer k = 0..2L-1 for n >= 1 tokens, attention even, FFN odd, whose input has the moments in. 2L is
 * the final norm, or nothing: an update without a branch. */
struct lnstab__meanfield lnstab__meanfield_update(const struct lnstab__spec *spec, int64_t k,
                                                  double n, struct lnstab__moments in);

/* The same with the input that the sublayers below make. O(k). */
struct lnstab__meanfield lnstab__meanfield_at(const struct lnstab__spec *spec, int64_t k, double n);

/* c/q; 0 where there is nothing. */
double lnstab__meanfield_cosine(struct lnstab__moments m);

/* E||mean over the n tokens||^2/d. */
double lnstab__meanfield_average(struct lnstab__moments m, double n);

/* rho/(1 + rho), rho = d_ff/d: the FFN's E||h||^2/E||x||^2 at Xavier initialisation, and its
 * E||F(x)||^2/E||x||^2, c_f = 2 rho/(1 + rho)^2. */
double lnstab__meanfield_hidden_share(const struct lnstab__spec *spec);
double lnstab__meanfield_c_f(const struct lnstab__spec *spec);

/* Of standard normal a, b with correlation p: kap(p) = E[ReLU(a) ReLU(b)], kap(1) = 1/2; its derivative
 * kap1(p) = Pr[a > 0 and b > 0]. */
double lnstab__meanfield_kap(double p);
double lnstab__meanfield_kap1(double p);

#endif
