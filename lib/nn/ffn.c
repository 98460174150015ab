#include "nn/ffn.h"

static int is_gated(const struct lnstab__ffn *f) {
    return f->w_3.weight.data != NULL;
}

static const void *gate_of(const struct lnstab__ffn *f) {
    return is_gated(f) ? f->up.data : NULL;
}

static void forward(const void *self, const struct lnstab__run *run, const void *x, void *y) {
    const struct lnstab__ffn *f = self;
    lnstab__linear_forward(&f->w_1, run, x, f->pre.data);
    if (is_gated(f)) {
        lnstab__linear_forward(&f->w_3, run, x, f->up.data);
    }
    run->kernels->activate(f->activation, run->rows * f->w_1.out, f->pre.data, gate_of(f),
                           f->hidden.data);
    lnstab__linear_forward(&f->w_2, run, f->hidden.data, y);
}

static void backward(const void *self, const struct lnstab__run *run, const void *x, const void *dy,
                     void *dx) {
    const struct lnstab__ffn *f = self;
    void *dh = lnstab__gradient_of(run, &f->hidden, run->work->hidden);
    void *dpre = lnstab__gradient_of(run, &f->pre, run->work->pre);
    void *dup = lnstab__gradient_of(run, &f->up, run->work->up);
    lnstab__linear_backward(&f->w_2, run, f->hidden.data, dy, 0.0, dh);
    run->kernels->activate_vjp(f->activation, run->rows * f->w_1.out, f->pre.data, gate_of(f), dh,
                               dpre, dup);
    lnstab__linear_backward(&f->w_1, run, x, dpre, 0.0, dx);
    if (is_gated(f)) {
        lnstab__linear_backward(&f->w_3, run, x, dup, 1.0, dx);
    }
}

static void jvp(const void *self, const struct lnstab__run *run, const void *v, void *jv) {
    const struct lnstab__ffn *f = self;
    const struct lnstab__workspace *work = run->work;
    lnstab__linear_jvp(&f->w_1, run, v, work->pre);
    if (is_gated(f)) {
        lnstab__linear_jvp(&f->w_3, run, v, work->up);
    }
    run->kernels->activate_jvp(f->activation, run->rows * f->w_1.out, f->pre.data, gate_of(f),
                               work->pre, work->up, work->hidden);
    lnstab__linear_jvp(&f->w_2, run, work->hidden, jv);
}

const struct lnstab__branch lnstab__ffn_branch = {forward, backward, jvp};
