#include "tensors.h"

#include <math.h>

size_t tensor_count(const lnstab_tensor *t) {
    size_t count = 1;
    for (int32_t axis = 0; axis < lnstab_tensor_rank(t); axis++)
        count *= (size_t)lnstab_tensor_size(t, axis);
    return count;
}

static double norm_of(const double *x, size_t count) {
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += x[i] * x[i];
    return sqrt(sum);
}

double tensor_norm(const lnstab_tensor *t) {
    return norm_of(lnstab_tensor_data(t), tensor_count(t));
}

double tensor_gradient_norm(const lnstab_tensor *t) {
    return norm_of(lnstab_tensor_grad(t), tensor_count(t));
}
