#include "nn/linear.h"

#include "nn/split.h"

/* C = op(A) op(B) + keep C, in slices of C's rows or columns; bias is that of the map, beside the product or NULL. */
struct product {
    const struct lnstab__run *run;
    int transpose_a, transpose_b, by_rows;
    size_t m, n, k;
    const void *a, *b;
    double keep;
    void *c, *bias;
};

static void multiply_slice(const void *argument, struct lnstab__span span) {
    const struct product *p = argument;
    const struct lnstab__kernels *kernels = p->run->kernels;
    const size_t lda = p->transpose_a ? p->m : p->k, ldb = p->transpose_b ? p->k : p->n;
    const size_t size = span.last - span.first;
    const size_t row = p->by_rows ? span.first : 0, column = p->by_rows ? 0 : span.first;
    kernels->gemm(p->transpose_a, p->transpose_b, p->by_rows ? size : p->m,
                  p->by_rows ? p->n : size, p->k, 1.0,
                  lnstab__at_const(kernels, p->a, p->transpose_a ? row : row * lda), lda,
                  lnstab__at_const(kernels, p->b, p->transpose_b ? column * ldb : column), ldb,
                  p->keep, lnstab__at(kernels, p->c, row * p->n + column), p->n);
}

/* A product with what is done to each slice before it. */
struct slices {
    struct product product;
    lnstab__span_work *before;
};

static void do_slice(const void *argument, struct lnstab__span span) {
    const struct slices *s = argument;
    if (s->product.bias) {
        s->before(&s->product, span);
    }
    multiply_slice(&s->product, span);
}

/* Where a BLAS shares the product, the workers share what is before it. It multiplies and adds some 32 times in a
 * unit. */
static void multiply(struct product product, lnstab__span_work *before) {
    const struct slices s = {product, before};
    const struct lnstab__run *run = product.run;
    const size_t count = product.by_rows ? product.m : product.n;
    const size_t across = product.by_rows ? product.n : product.m;
    if (run->split_products) {
        lnstab__split(run, count, 1 + across * product.k / 32, do_slice, &s);
        return;
    }
    if (product.bias) {
        lnstab__split(run, count, across, before, &product);
    }
    multiply_slice(&product, (struct lnstab__span){0, 0, count});
}

static void repeat_bias(const void *argument, struct lnstab__span span) {
    const struct product *p = argument;
    const struct lnstab__kernels *k = p->run->kernels;
    const size_t size = span.last - span.first;
    if (p->by_rows) {
        k->repeat_row(size, p->n, p->bias, lnstab__at(k, p->c, span.first * p->n), p->n);
    } else {
        k->repeat_row(p->m, size, lnstab__at(k, p->bias, span.first),
                      lnstab__at(k, p->c, span.first), p->n);
    }
}

/* Columns first..last-1 of dy, the rows of dW that are there too. */
static void add_to_bias(const void *argument, struct lnstab__span span) {
    const struct product *p = argument;
    const struct lnstab__kernels *k = p->run->kernels;
    double *sums = lnstab__part_room(p->run, span.part);
    k->column_sums(p->k, span.last - span.first, lnstab__at_const(k, p->a, span.first), p->m, sums);
    k->add_doubles(span.last - span.first, sums, lnstab__at(k, p->bias, span.first));
}

/* c = keep c + a W^T, or a W */
static struct product through(const struct lnstab__linear *f, const struct lnstab__run *run,
                              int transposed, const void *a, double keep, void *c) {
    const size_t n = transposed ? f->out : f->in;
    return (struct product){.run = run,
                            .transpose_b = transposed,
                            .by_rows = run->rows >= n,
                            .m = run->rows,
                            .n = n,
                            .k = transposed ? f->in : f->out,
                            .a = a,
                            .b = f->weight.data,
                            .keep = keep,
                            .c = c};
}

/* The product is added to the bias: a BLAS reads or clears what it writes anyway. */
void lnstab__linear_forward(const struct lnstab__linear *f, const struct lnstab__run *run,
                            const void *x, void *y) {
    struct product up = through(f, run, 1, x, f->bias.data ? 1.0 : 0.0, y);
    up.bias = f->bias.data;
    multiply(up, repeat_bias);
}

void lnstab__linear_add_gradients(const struct lnstab__linear *f, const struct lnstab__run *run,
                                  const void *x, const void *dy) {
    const struct product dw = {.run = run,
                               .transpose_a = 1,
                               .by_rows = 1,
                               .m = f->out,
                               .n = f->in,
                               .k = run->rows,
                               .a = dy,
                               .b = x,
                               .keep = 1.0,
                               .c = f->weight.grad,
                               .bias = f->bias.grad};
    if (run->record && f->weight.grad) {
        multiply(dw, add_to_bias);
    }
}

void lnstab__linear_vjp(const struct lnstab__linear *f, const struct lnstab__run *run,
                        const void *dy, double keep, void *dx) {
    multiply(through(f, run, 0, dy, keep, dx), NULL);
}

void lnstab__linear_backward(const struct lnstab__linear *f, const struct lnstab__run *run,
                             const void *x, const void *dy, double keep, void *dx) {
    lnstab__linear_add_gradients(f, run, x, dy);
    lnstab__linear_vjp(f, run, dy, keep, dx);
}

void lnstab__linear_jvp(const struct lnstab__linear *f, const struct lnstab__run *run,
                        const void *v, void *jv) {
    multiply(through(f, run, 1, v, 0.0, jv), NULL);
}
