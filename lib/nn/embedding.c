#include "nn/embedding.h"

#include "nn/split.h"

struct rows {
    const struct lnstab__embedding *e;
    const struct lnstab__run *run;
    const int32_t *tokens;
    const void *dx;
    void *x;
};

static void read_rows(const void *argument, struct lnstab__span span) {
    const struct rows *r = argument;
    const struct lnstab__embedding *e = r->e;
    const struct lnstab__kernels *k = r->run->kernels;
    for (size_t i = span.first; i < span.last; ++i) {
        const void *row = lnstab__at_const(k, e->table.data, (size_t)r->tokens[i] * e->width);
        k->scale(e->width, e->scale, row, lnstab__at(k, r->x, i * e->width));
    }
}

void lnstab__embedding_forward(const struct lnstab__embedding *e, const struct lnstab__run *run,
                               const int32_t *tokens, void *x) {
    const struct rows r = {.e = e, .run = run, .tokens = tokens, .x = x};
    lnstab__split(run, run->rows, e->width, read_rows, &r);
}

/* Two tokens may be the same row of the table, so that columns are what can be split. */
static void add_columns(const void *argument, struct lnstab__span span) {
    const struct rows *r = argument;
    const struct lnstab__embedding *e = r->e;
    const struct lnstab__kernels *k = r->run->kernels;
    for (size_t i = 0; i < r->run->rows; ++i) {
        void *to = lnstab__at(k, e->table.grad, (size_t)r->tokens[i] * e->width + span.first);
        k->add_scaled(span.last - span.first, e->scale,
                      lnstab__at_const(k, r->dx, i * e->width + span.first), 1.0, to, to);
    }
}

void lnstab__embedding_backward(const struct lnstab__embedding *e, const struct lnstab__run *run,
                                const int32_t *tokens, const void *dx) {
    const struct rows r = {.e = e, .run = run, .tokens = tokens, .dx = dx};
    if (run->record && e->table.grad) {
        lnstab__split(run, e->width, run->rows, add_columns, &r);
    }
}
