#ifndef LNSTAB_ANALYSIS_WEIGHT_NORM_H
#define LNSTAB_ANALYSIS_WEIGHT_NORM_H

#include "math/gram_norm.h"
#include "model/model.h"

/* A matrix in the model's dtype, as it is stored: rows of so many columns, stride elements from one to the
 * next. transposed: what is meant is its transpose. A head's part of W_Q, W_K or W_V [out, in] is head_width rows
 * of it, of W_O head_width columns. */
struct lnstab__weight {
    const void *data;
    size_t rows, columns, stride;
    int transposed;
};

/* A parameter as a whole. */
struct lnstab__weight lnstab__weight_of(const struct lnstab_tensor *t);

/* Proved bounds of ||A||_2, and of ||A B||_2 of the product as it is meant; both NaN where an entry is not finite.
 * The smaller of a matrix's sides, and both of a product's, are at most width. Needs the room of krylov >= 2;
 * overwrites what is in it. */
struct lnstab__norm_bounds lnstab__weight_norm(const lnstab_model *m, struct lnstab__weight a);
struct lnstab__norm_bounds lnstab__product_norm(const lnstab_model *m, struct lnstab__weight a,
                                                struct lnstab__weight b);

#endif
