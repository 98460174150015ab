#include "nn/ffn.h"

static void forward(const void *self, const struct lnstab__run *run, const void *x, void *y) {
    const struct lnstab__ffn *f = self;
    lnstab__linear_forward(&f->w_1, run, x, f->hidden.data);
    run->kernels->relu(run->rows * f->w_1.out, f->hidden.data);
    lnstab__linear_forward(&f->w_2, run, f->hidden.data, y);
}

/* dL/dh is kept as h's costate; the mask of ReLU then goes over a copy of it. */
static void backward(const void *self, const struct lnstab__run *run, const void *x, const void *dy,
                     void *dx) {
    const struct lnstab__ffn *f = self;
    const size_t n = run->rows * f->w_1.out;
    void *masked = run->work->hidden;
    void *dh = lnstab__gradient_of(run, &f->hidden, masked);
    lnstab__linear_backward(&f->w_2, run, f->hidden.data, dy, 0.0, dh);
    if (dh != masked) {
        run->kernels->scale(n, 1.0, dh, masked);
    }
    run->kernels->relu_mask(n, f->hidden.data, masked);
    lnstab__linear_backward(&f->w_1, run, x, masked, 0.0, dx);
}

static void jvp(const void *self, const struct lnstab__run *run, const void *v, void *jv) {
    const struct lnstab__ffn *f = self;
    void *dh = run->work->hidden;
    lnstab__linear_jvp(&f->w_1, run, v, dh);
    run->kernels->relu_mask(run->rows * f->w_1.out, f->hidden.data, dh);
    lnstab__linear_jvp(&f->w_2, run, dh, jv);
}

const struct lnstab__branch lnstab__ffn_branch = {forward, backward, jvp};
