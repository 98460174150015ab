#ifndef LNSTAB_NN_ROTARY_H
#define LNSTAB_NN_ROTARY_H

#include "nn/run.h"

/* Rotary positions (Su et al. 2021, arXiv 2104.09864) in the half-split form: the pair (x_i, x_{i +
 * head_dim/2}) of the token at position t is turned by t base^(-2i/head_dim). Angles are a table of
 * max_tokens x head_dim/2, NULL where there are no rotary positions. */
struct lnstab__rotary {
    size_t head_dim;
    double *cosine, *sine;
};

void lnstab__rotary_fill(struct lnstab__rotary *r, size_t max_tokens, double base);

/* Turns every piece of head_dim entries of x, rows x pieces, in place; sign -1 turns back, which is also
 * the transpose. Does nothing where there are no rotary positions. */
void lnstab__rotary_apply(const struct lnstab__rotary *r, const struct lnstab__run *run,
                          size_t pieces, double sign, void *x);

#endif
