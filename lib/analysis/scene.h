#ifndef LNSTAB_ANALYSIS_SCENE_H
#define LNSTAB_ANALYSIS_SCENE_H

#include <math.h>

#include "analysis/claim_arguments.h"
#include "model/model.h"

/* A model as its last calls left it, for whoever measures in it. */
struct lnstab__scene {
    lnstab_model *m;
    const struct lnstab__spec *spec;
    const struct lnstab__kernels *kernels;
    size_t batch, tokens, rows, width; /* rows = batch x tokens */
    double *room;                      /* 2 max(width, ffn_width) */
};

struct lnstab__scene lnstab__scene_of(lnstab_model *m);

/* One side of a claim. */
typedef double lnstab__measure_fn(const struct lnstab__scene *s,
                                  const struct lnstab__claim_arguments *a);

/* What has to be there before something can be measured, as words: every named state of the last forward;
 * the costates and gradients of a backward; those of a loss, not of a gradient that was given; a batch of 1;
 * a loss that counted one token; no token masked; the same, and none left out of the loss if there is one; norms
 * with gamma 1 and bias 0; an even batch, whose halves are samples of two distributions, masked alike; room for
 * Lanczos vectors; the same as far as neither N_out nor N_res bounds what some branch adds. */
#define LNSTAB__STATES "states"
#define LNSTAB__STATES_OF_ALL_TOKENS "states all-tokens"
#define LNSTAB__STATES_OF_PLAIN_NORMS "states plain-norms"
#define LNSTAB__COSTATES "states costates"
#define LNSTAB__COSTATES_UNMASKED "states costates unmasked"
#define LNSTAB__COSTATES_OF_ONE_SEQUENCE "states costates all-tokens one-sequence"
#define LNSTAB__LOSS "states costates loss all-tokens"
#define LNSTAB__LOSS_OF_ONE_SEQUENCE "states costates loss one-sequence"
#define LNSTAB__LOSS_OF_ALL_TOKENS "states costates loss all-tokens one-sequence"
#define LNSTAB__LOSS_OF_ONE_TOKEN "states costates loss unmasked one-sequence one-token"
#define LNSTAB__PAIRED_SAMPLES "states pairs krylov"
#define LNSTAB__BRANCHES "states branches"
#define LNSTAB__JACOBIANS "states krylov"

/* What of needs is missing, in words that name the key or call; NULL if nothing is. */
const char *lnstab__scene_misses(const struct lnstab__scene *s, const char *needs);

/* Sublayer k = 1..2L, as claims count them. */
static inline const struct lnstab__sublayer *lnstab__scene_sublayer(const struct lnstab__scene *s,
                                                                    int64_t k) {
    return &s->m->sublayers[k - 1];
}

/* The state behind sublayer k = 0..2L + 1, 0 the input of the stack, 2L + 1 its output. */
const struct lnstab__state *lnstab__scene_stream(const struct lnstab__scene *s, int64_t k);

/* Those of an array of rows x width, in double, over the tokens of every sequence:
 *     total     sum of ||x_i||^2
 *     largest   max ||x_i||
 *     cosine    mean of <x_i, x_j>, i != j of one sequence, over the mean of ||x_i||^2; NaN for T = 1 */
double lnstab__scene_total(const struct lnstab__scene *s, const void *x, size_t width);
double lnstab__scene_largest(const struct lnstab__scene *s, const void *x, size_t width);
double lnstab__scene_cosine(const struct lnstab__scene *s, const void *x, size_t width);

/* ||x_i||, ||x_i||^2 and <x_i, x_j>. Squares may be out of the range of a double where the norm is not. */
double lnstab__scene_norm(const struct lnstab__scene *s, const void *x, size_t width, size_t i);
double lnstab__scene_square(const struct lnstab__scene *s, const void *x, size_t width, size_t i);
double lnstab__scene_dot(const struct lnstab__scene *s, const void *x, size_t width, size_t i,
                         size_t j);

/* The share of the tokens with ||x_i||^2 > limit, of states; NaN if one is not finite. */
double lnstab__scene_share_above(const struct lnstab__scene *s, const void *x, double limit);

/* The Frobenius norm of a matrix [rows, width]. */
double lnstab__scene_frobenius(const struct lnstab__scene *s, const void *x, size_t rows,
                               size_t width);

/* The larger of the two; NaN if one is: a comparison with it must not lose it. */
static inline double lnstab__larger(double a, double b) {
    return a >= b || isnan(a) ? a : b;
}

/* Fills in the arguments among wanted that a model tells itself (scene_told.c). */
void lnstab__scene_tell(const struct lnstab__scene *s, const char *wanted,
                        struct lnstab__claim_arguments *out);

/* What is left of the g_i behind the last norm: rho_v (doc/theory.md, the loss of a sequence). NaN for
 * T = 1. */
double lnstab__scene_coherence(const struct lnstab__scene *s);

/* Row i of such an array, in double, in out[width]. */
void lnstab__scene_row(const struct lnstab__scene *s, const void *x, size_t width, size_t i,
                       double *out);

#endif
