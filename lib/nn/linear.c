#include "nn/linear.h"

#include "nn/split.h"

/* C = op(A) op(B) + keep C, in slices of C's longer side. */
struct product {
    const struct lnstab__kernels *kernels;
    int transpose_a, transpose_b;
    size_t m, n, k;
    const void *a, *b;
    double keep;
    void *c;
};

static void multiply_slice(const void *argument, struct lnstab__span span) {
    const struct product *p = argument;
    const size_t lda = p->transpose_a ? p->m : p->k, ldb = p->transpose_b ? p->k : p->n;
    const int by_rows = p->m >= p->n;
    const size_t size = span.last - span.first;
    const size_t row = by_rows ? span.first : 0, column = by_rows ? 0 : span.first;
    p->kernels->gemm(p->transpose_a, p->transpose_b, by_rows ? size : p->m, by_rows ? p->n : size,
                     p->k, 1.0,
                     lnstab__at_const(p->kernels, p->a, p->transpose_a ? row : row * lda), lda,
                     lnstab__at_const(p->kernels, p->b, p->transpose_b ? column * ldb : column),
                     ldb, p->keep, lnstab__at(p->kernels, p->c, row * p->n + column), p->n);
}

/* A BLAS multiplies and adds some 32 times in a unit. */
static void multiply(const struct lnstab__run *run, const struct product *p) {
    const struct lnstab__run alone = lnstab__run_alone(run);
    const size_t slices = p->m >= p->n ? p->m : p->n, across = p->m >= p->n ? p->n : p->m;
    lnstab__split(run->split_products ? run : &alone, slices, 1 + across * p->k / 32,
                  multiply_slice, p);
}

/* A bias to an array of rows, or an array of rows to the parts' rooms. */
struct biased {
    const struct lnstab__run *run;
    size_t columns;
    const void *from;
    void *to;
};

static void repeat_rows(const void *argument, struct lnstab__span span) {
    const struct biased *b = argument;
    b->run->kernels->repeat_row(span.last - span.first, b->columns, b->from,
                                lnstab__at(b->run->kernels, b->to, span.first * b->columns));
}

static void sum_rows(const void *argument, struct lnstab__span span) {
    const struct biased *b = argument;
    b->run->kernels->column_sums(
        span.last - span.first, b->columns,
        lnstab__at_const(b->run->kernels, b->from, span.first * b->columns),
        lnstab__part_room(b->run, span.part));
}

static void add_column_sums(const struct lnstab__run *run, size_t columns, const void *dy,
                            void *sum) {
    const struct biased b = {run, columns, dy, NULL};
    const size_t parts = lnstab__split(run, run->rows, columns, sum_rows, &b);
    lnstab__add_rooms(run, parts, 0, columns, sum);
}

/* y = keep y + x W^T */
static void multiply_up(const struct lnstab__linear *f, const struct lnstab__run *run,
                        const void *x, double keep, void *y) {
    const struct product up = {run->kernels,   0,    1, run->rows, f->out, f->in, x,
                               f->weight.data, keep, y};
    multiply(run, &up);
}

/* The product is added to the bias: a BLAS reads or clears what it writes anyway. */
void lnstab__linear_forward(const struct lnstab__linear *f, const struct lnstab__run *run,
                            const void *x, void *y) {
    if (f->bias.data) {
        const struct biased b = {run, f->out, f->bias.data, y};
        lnstab__split(run, run->rows, f->out, repeat_rows, &b);
    }
    multiply_up(f, run, x, f->bias.data ? 1.0 : 0.0, y);
}

void lnstab__linear_backward(const struct lnstab__linear *f, const struct lnstab__run *run,
                             const void *x, const void *dy, double keep, void *dx) {
    if (run->record && f->weight.grad) {
        const struct product dw = {run->kernels, 1,  0, f->out, f->in,
                                   run->rows,    dy, x, 1.0,    f->weight.grad};
        multiply(run, &dw);
    }
    if (run->record && f->bias.grad) {
        add_column_sums(run, f->out, dy, f->bias.grad);
    }
    if (dx) {
        const struct product down = {run->kernels,   0,    0, run->rows, f->in, f->out, dy,
                                     f->weight.data, keep, dx};
        multiply(run, &down);
    }
}

void lnstab__linear_jvp(const struct lnstab__linear *f, const struct lnstab__run *run,
                        const void *v, void *jv) {
    multiply_up(f, run, v, 0.0, jv);
}
