#include "nn/position.h"

#include <math.h>

#include "nn/split.h"

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

struct rows {
    const struct lnstab__position *p;
    const struct lnstab__run *run;
    const void *dx;
    void *x;
};

static void add_to_rows(const void *argument, struct lnstab__span span) {
    const struct rows *r = argument;
    const struct lnstab__kernels *k = r->run->kernels;
    const size_t width = r->p->width;
    for (size_t row = span.first; row < span.last; ++row) {
        void *to = lnstab__at(k, r->x, row * width);
        const void *at = lnstab__at_const(k, r->p->table.data, row % r->run->tokens * width);
        k->add_scaled(width, 1.0, to, 1.0, at, to);
    }
}

void lnstab__position_forward(const struct lnstab__position *p, const struct lnstab__run *run,
                              void *x) {
    const struct rows r = {.p = p, .run = run, .x = x};
    if (p->table.data) {
        lnstab__split(run, run->rows, p->width, add_to_rows, &r);
    }
}

/* Every sequence has the same positions: columns are split, as of the table of tokens. */
static void add_columns(const void *argument, struct lnstab__span span) {
    const struct rows *r = argument;
    const struct lnstab__kernels *k = r->run->kernels;
    const size_t width = r->p->width;
    for (size_t row = 0; row < r->run->rows; ++row) {
        void *to = lnstab__at(k, r->p->table.grad, row % r->run->tokens * width + span.first);
        k->add_scaled(span.last - span.first, 1.0,
                      lnstab__at_const(k, r->dx, row * width + span.first), 1.0, to, to);
    }
}

void lnstab__position_backward(const struct lnstab__position *p, const struct lnstab__run *run,
                               const void *dx) {
    const struct rows r = {.p = p, .run = run, .dx = dx};
    if (run->record && p->table.grad) {
        lnstab__split(run, p->width, run->rows, add_columns, &r);
    }
}
