#include "nn/embedding.h"

void lnstab__embedding_forward(const struct lnstab__embedding *e, const struct lnstab__run *run,
                               const int32_t *tokens, void *x) {
    const struct lnstab__kernels *k = run->kernels;
    for (size_t i = 0; i < run->rows; ++i) {
        const void *row = lnstab__at_const(k, e->table.data, (size_t)tokens[i] * e->width);
        k->scale(e->width, e->scale, row, lnstab__at(k, x, i * e->width));
    }
}

void lnstab__embedding_backward(const struct lnstab__embedding *e, const struct lnstab__run *run,
                                const int32_t *tokens, const void *dx) {
    const struct lnstab__kernels *k = run->kernels;
    if (!run->record || !e->table.grad) {
        return;
    }
    for (size_t i = 0; i < run->rows; ++i) {
        void *row = lnstab__at(k, e->table.grad, (size_t)tokens[i] * e->width);
        k->add_scaled(e->width, e->scale, lnstab__at_const(k, dx, i * e->width), 1.0, row, row);
    }
}
