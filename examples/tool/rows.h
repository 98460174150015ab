/* The values of a state, or its gradient (costate), one row a token. */
#ifndef TOOL_ROWS_H
#define TOOL_ROWS_H

#include "lnstab.h"

struct rows {
    const void *values;
    int32_t dtype;
    size_t count, width;
};

struct rows rows_data(const lnstab_tensor *t);
struct rows rows_grad(const lnstab_tensor *t);

double rows_square(struct rows r, size_t i); /* ||row i||^2      */
double rows_total(struct rows r);            /* of all rows      */
double rows_largest(struct rows r);          /* the largest |entry|, NaN if there is one */

/* (||sum of rows||^2 - sum ||row||^2)/((n - 1) sum ||row||^2): the mean cosine of rows of about equal
 * length, in O(n d). 0 for one token, which has no pair. */
double rows_cosine(struct rows r);

/* The tensor "layer.<layer>.<name>", NULL with the model's message if it is not there. */
const lnstab_tensor *rows_tensor(lnstab_model *m, int64_t layer, const char *name);

#endif
