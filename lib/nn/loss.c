#include "nn/loss.h"

#include <string.h>

double lnstab__loss_forward(const struct lnstab__loss *loss, const struct lnstab__run *run,
                            const void *logits, const int32_t *targets, void *each,
                            int64_t *counted) {
    const struct lnstab__kernels *k = run->kernels;
    double sum = 0;
    *counted = 0;
    for (size_t i = 0; i < run->rows; ++i) {
        double own = 0;
        if (targets[i] != loss->ignore_index) {
            const void *row = lnstab__at_const(k, logits, i * loss->classes);
            own = k->cross_entropy(loss->classes, row, (size_t)targets[i], loss->smoothing);
            ++*counted;
        }
        sum += own;
        k->from_double(1, &own, lnstab__at(k, each, i));
    }
    return *counted ? sum / (double)*counted : 0.0;
}

void lnstab__loss_backward(const struct lnstab__loss *loss, const struct lnstab__run *run,
                           const void *logits, const int32_t *targets, int64_t counted, void *out) {
    const struct lnstab__kernels *k = run->kernels;
    for (size_t i = 0; i < run->rows; ++i) {
        void *row = lnstab__at(k, out, i * loss->classes);
        if (targets[i] == loss->ignore_index) {
            memset(row, 0, loss->classes * k->size);
        } else {
            k->cross_entropy_gradient(loss->classes, lnstab__at_const(k, logits, i * loss->classes),
                                      (size_t)targets[i], loss->smoothing, 1.0 / (double)counted,
                                      row);
        }
    }
}
