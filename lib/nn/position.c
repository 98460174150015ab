#include "nn/position.h"

#include <math.h>

void lnstab__position_fill_sinusoidal(const struct lnstab__position *p,
                                      const struct lnstab__kernels *kernels, size_t max_tokens) {
    for (size_t t = 0; t < max_tokens; ++t) {
        for (size_t j = 0; j < p->width; ++j) {
            const double exponent = (double)(j - j % 2) / (double)p->width;
            const double angle = (double)t * pow(10000.0, -exponent);
            const double value = j % 2 ? cos(angle) : sin(angle);
            kernels->from_double(1, &value, lnstab__at(kernels, p->table.data, t * p->width + j));
        }
    }
}

void lnstab__position_forward(const struct lnstab__position *p, const struct lnstab__run *run,
                              void *x) {
    const struct lnstab__kernels *k = run->kernels;
    for (size_t row = 0; p->table.data && row < run->rows; ++row) {
        void *to = lnstab__at(k, x, row * p->width);
        const void *at = lnstab__at_const(k, p->table.data, row % run->tokens * p->width);
        k->add_scaled(p->width, 1.0, to, 1.0, at, to);
    }
}

void lnstab__position_backward(const struct lnstab__position *p, const struct lnstab__run *run,
                               const void *dx) {
    const struct lnstab__kernels *k = run->kernels;
    for (size_t row = 0; run->record && p->table.grad && row < run->rows; ++row) {
        void *to = lnstab__at(k, p->table.grad, row % run->tokens * p->width);
        k->add_scaled(p->width, 1.0, lnstab__at_const(k, dx, row * p->width), 1.0, to, to);
    }
}
