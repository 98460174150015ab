#include "nn/linear.h"

/* y = keep y + x W^T */
static void multiply(const struct lnstab__linear *f, const struct lnstab__run *run, const void *x,
                     double keep, void *y) {
    run->kernels->gemm(0, 1, run->rows, f->out, f->in, 1.0, x, f->in, f->weight.data, f->in, keep,
                       y, f->out);
}

/* The product is added to the bias: a BLAS reads or clears what it writes anyway. */
void lnstab__linear_forward(const struct lnstab__linear *f, const struct lnstab__run *run,
                            const void *x, void *y) {
    if (f->bias.data) {
        run->kernels->repeat_row(run->rows, f->out, f->bias.data, y);
    }
    multiply(f, run, x, f->bias.data ? 1.0 : 0.0, y);
}

void lnstab__linear_backward(const struct lnstab__linear *f, const struct lnstab__run *run,
                             const void *x, const void *dy, double keep, void *dx) {
    const struct lnstab__kernels *k = run->kernels;
    if (run->record && f->weight.grad) {
        k->gemm(1, 0, f->out, f->in, run->rows, 1.0, dy, f->out, x, f->in, 1.0, f->weight.grad,
                f->in);
    }
    if (run->record && f->bias.grad) {
        k->add_column_sums(run->rows, f->out, dy, run->work->columns, f->bias.grad);
    }
    if (dx) {
        k->gemm(0, 0, run->rows, f->in, f->out, 1.0, dy, f->out, f->weight.data, f->in, keep, dx,
                f->in);
    }
}

void lnstab__linear_jvp(const struct lnstab__linear *f, const struct lnstab__run *run,
                        const void *v, void *jv) {
    multiply(f, run, v, 0.0, jv);
}
