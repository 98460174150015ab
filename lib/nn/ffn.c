#include "nn/ffn.h"

#include "nn/split.h"

static int is_gated(const struct lnstab__ffn *f) {
    return f->w_3.weight.data != NULL;
}

static const void *gate_of(const struct lnstab__ffn *f) {
    return is_gated(f) ? f->up.data : NULL;
}

/* The activation of rows: what comes along the stream is from and from_gate, what it becomes to and to_gate. */
struct activation {
    const struct lnstab__ffn *f;
    const struct lnstab__kernels *kernels;
    const void *from, *from_gate;
    void *to, *to_gate;
};

/* The row of an array that may be NULL. */
static void *row_of(const struct activation *a, void *array, size_t row) {
    return array ? lnstab__at(a->kernels, array, row * a->f->w_1.out) : NULL;
}

static const void *row_of_const(const struct activation *a, const void *array, size_t row) {
    return array ? lnstab__at_const(a->kernels, array, row * a->f->w_1.out) : NULL;
}

static size_t entries_of(const struct activation *a, struct lnstab__span span) {
    return (span.last - span.first) * a->f->w_1.out;
}

static void activate_rows(const void *argument, struct lnstab__span span) {
    const struct activation *a = argument;
    a->kernels->activate(a->f->activation, entries_of(a, span),
                         row_of_const(a, a->f->pre.data, span.first),
                         row_of_const(a, gate_of(a->f), span.first), row_of(a, a->to, span.first));
}

static void activate_vjp_rows(const void *argument, struct lnstab__span span) {
    const struct activation *a = argument;
    a->kernels->activate_vjp(
        a->f->activation, entries_of(a, span), row_of_const(a, a->f->pre.data, span.first),
        row_of_const(a, gate_of(a->f), span.first), row_of_const(a, a->from, span.first),
        row_of(a, a->to, span.first), row_of(a, a->to_gate, span.first));
}

static void activate_jvp_rows(const void *argument, struct lnstab__span span) {
    const struct activation *a = argument;
    a->kernels->activate_jvp(
        a->f->activation, entries_of(a, span), row_of_const(a, a->f->pre.data, span.first),
        row_of_const(a, gate_of(a->f), span.first), row_of_const(a, a->from, span.first),
        row_of_const(a, a->from_gate, span.first), row_of(a, a->to, span.first));
}

static void remake(const void *self, const struct lnstab__run *run) {
    const struct lnstab__ffn *f = self;
    const struct activation a = {.f = f, .kernels = run->kernels, .to = f->hidden.data};
    lnstab__split(run, run->rows, f->w_1.out, activate_rows, &a);
}

static void forward(const void *self, const struct lnstab__run *run, const void *x, void *y) {
    const struct lnstab__ffn *f = self;
    lnstab__linear_forward(&f->w_1, run, x, f->pre.data);
    if (is_gated(f)) {
        lnstab__linear_forward(&f->w_3, run, x, f->up.data);
    }
    remake(f, run);
    lnstab__linear_forward(&f->w_2, run, f->hidden.data, y);
}

static void backward(const void *self, const struct lnstab__run *run, const void *x, const void *dy,
                     void *dx) {
    const struct lnstab__ffn *f = self;
    void *dh = lnstab__gradient_of(run, &f->hidden, run->work->hidden);
    void *dpre = lnstab__gradient_of(run, &f->pre, run->work->hidden); /* over dh */
    void *dup = lnstab__gradient_of(run, &f->up, run->work->up);
    lnstab__linear_add_gradients(&f->w_2, run, f->hidden.data, dy);
    if (!dx) {
        return;
    }
    lnstab__linear_vjp(&f->w_2, run, dy, 0.0, dh);
    const struct activation a = {
        .f = f, .kernels = run->kernels, .from = dh, .to = dpre, .to_gate = dup};
    lnstab__split(run, run->rows, f->w_1.out, activate_vjp_rows, &a);
    lnstab__linear_backward(&f->w_1, run, x, dpre, 0.0, dx);
    if (is_gated(f)) {
        lnstab__linear_backward(&f->w_3, run, x, dup, 1.0, dx);
    }
}

static void jvp(const void *self, const struct lnstab__run *run, const void *v, void *jv) {
    const struct lnstab__ffn *f = self;
    const struct lnstab__workspace *work = run->work;
    lnstab__linear_jvp(&f->w_1, run, v, work->hidden);
    if (is_gated(f)) {
        lnstab__linear_jvp(&f->w_3, run, v, work->up);
    }
    const struct activation a = {.f = f,
                                 .kernels = run->kernels,
                                 .from = work->hidden,
                                 .from_gate = work->up,
                                 .to = work->hidden};
    lnstab__split(run, run->rows, f->w_1.out, activate_jvp_rows, &a);
    lnstab__linear_jvp(&f->w_2, run, work->hidden, jv);
}

const struct lnstab__branch lnstab__ffn_branch = {forward, backward, remake, jvp};
