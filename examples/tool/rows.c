#include "rows.h"

#include "not_finite.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

static double element(struct rows r, size_t i, size_t j) {
    size_t at = i * r.width + j;
    return r.dtype == LNSTAB_FLOAT64 ? ((const double *)r.values)[at]
                                     : (double)((const float *)r.values)[at];
}

/* Four sums go on side by side, as one addition would wait for the last. */
double rows_square(struct rows r, size_t i) {
    enum { SUMS = 4 };
    double sum[SUMS] = {0};
    size_t whole = r.width - r.width % SUMS;
    for (size_t j = 0; j < whole; j += SUMS)
        for (size_t k = 0; k < SUMS; k++)
            sum[k] += element(r, i, j + k) * element(r, i, j + k);
    for (size_t j = whole; j < r.width; j++)
        sum[j - whole] += element(r, i, j) * element(r, i, j);
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

double rows_total(struct rows r) {
    double sum = 0;
    for (size_t i = 0; i < r.count; i++)
        sum += rows_square(r, i);
    return sum;
}

double rows_largest(struct rows r) {
    double most = 0;
    for (size_t i = 0; i < r.count; i++)
        for (size_t j = 0; j < r.width; j++)
            most = largest_of(most, fabs(element(r, i, j)));
    return most;
}

double rows_cosine(struct rows r) {
    double of_sum = 0, of_rows = rows_total(r);
    if (r.count < 2)
        return 0;
    for (size_t j = 0; j < r.width; j++) {
        double sum = 0;
        for (size_t i = 0; i < r.count; i++)
            sum += element(r, i, j);
        of_sum += sum * sum;
    }
    return (of_sum - of_rows) / ((double)(r.count - 1) * of_rows);
}

static struct rows rows_of(const lnstab_tensor *t, const void *values) {
    int32_t last = lnstab_tensor_rank(t) - 1;
    size_t count = 1;
    for (int32_t axis = 0; axis < last; axis++)
        count *= (size_t)lnstab_tensor_size(t, axis);
    return (struct rows){values, lnstab_tensor_dtype(t), count,
                         (size_t)lnstab_tensor_size(t, last)};
}

struct rows rows_data(const lnstab_tensor *t) {
    return rows_of(t, lnstab_tensor_data(t));
}

struct rows rows_grad(const lnstab_tensor *t) {
    return rows_of(t, lnstab_tensor_grad(t));
}

const lnstab_tensor *rows_tensor(lnstab_model *m, int64_t layer, const char *name) {
    char full[64];
    snprintf(full, sizeof full, "layer.%" PRId64 ".%s", layer, name);
    return lnstab_model_tensor(m, full);
}
