#include "nn/attention.h"

#include <math.h>

/* The corner of one (batch, head) inside the arrays of the whole batch: the first element of its rows
 * x head_dim part of q, k, v, O and of its tokens x tokens part of the weights. */
struct head {
    size_t part, square;
    size_t batch;
};

static struct head head_at(const struct lnstab__attention *f, const struct lnstab__run *run,
                           size_t i) {
    size_t batch = i / f->heads, h = i % f->heads, width = f->heads * f->head_dim;
    return (struct head){.part = batch * run->tokens * width + h * f->head_dim,
                         .square = i * run->tokens * run->tokens,
                         .batch = batch};
}

/* S = scale A_h B_h^T + keep S: tokens x tokens from two arrays of rows x width */
static void outer(const struct lnstab__attention *f, const struct lnstab__run *run, struct head h,
                  double scale, const void *a, const void *b, double keep, void *s) {
    const struct lnstab__kernels *k = run->kernels;
    const size_t n = run->tokens, ld = f->heads * f->head_dim;
    k->gemm(0, 1, n, n, f->head_dim, scale, lnstab__at_const(k, a, h.part), ld,
            lnstab__at_const(k, b, h.part), ld, keep, lnstab__at(k, s, h.square), n);
}

/* C_h = P B_h + keep C_h, or P^T B_h: an array of rows x width from the weights and another */
static void mix(const struct lnstab__attention *f, const struct lnstab__run *run, struct head h,
                int transpose, const void *p, const void *b, double keep, void *c) {
    const struct lnstab__kernels *k = run->kernels;
    const size_t n = run->tokens, ld = f->heads * f->head_dim;
    k->gemm(transpose, 0, n, f->head_dim, n, 1.0, lnstab__at_const(k, p, h.square), n,
            lnstab__at_const(k, b, h.part), ld, keep, lnstab__at(k, c, h.part), ld);
}

static double score_scale(const struct lnstab__attention *f) {
    return 1.0 / sqrt((double)f->head_dim);
}

static void forward(const void *self, const struct lnstab__run *run, const void *x, void *y) {
    const struct lnstab__attention *f = self;
    const struct lnstab__kernels *k = run->kernels;
    const size_t n = run->tokens;
    void *o = f->w_o.weight.data ? f->output.data : y;
    lnstab__linear_forward(&f->w_q, run, x, f->q.data);
    lnstab__linear_forward(&f->w_k, run, x, f->k.data);
    lnstab__linear_forward(&f->w_v, run, x, f->v.data);
    for (size_t i = 0; i < run->batch * f->heads; ++i) {
        const struct head h = head_at(f, run, i);
        const struct lnstab__softmax_mask mask = {
            .keep = run->keep ? run->keep + h.batch * n : NULL, .causal = f->causal};
        outer(f, run, h, 1.0, f->q.data, f->k.data, 0.0, f->weights.data);
        k->softmax(n, n, score_scale(f), mask, lnstab__at(k, f->weights.data, h.square));
        mix(f, run, h, 0, f->weights.data, f->v.data, 0.0, o);
    }
    if (f->w_o.weight.data) {
        lnstab__linear_forward(&f->w_o, run, o, y);
    }
}

/* dP is kept as the weights' costate; dS = P (dP - <P, dP>)/sqrt(head_dim) then goes over a copy. */
static void backward_head(const struct lnstab__attention *f, const struct lnstab__run *run,
                          struct head h, const void *d_o, void *dq, void *dk, void *dv) {
    const struct lnstab__kernels *k = run->kernels;
    const size_t n = run->tokens;
    void *ds = run->work->weights;
    void *dp = lnstab__gradient_of(run, &f->weights, ds);
    outer(f, run, h, 1.0, d_o, f->v.data, 0.0, dp);
    mix(f, run, h, 1, f->weights.data, d_o, 0.0, dv);
    void *square = lnstab__at(k, ds, h.square);
    if (dp != ds) {
        k->scale(n * n, 1.0, lnstab__at(k, dp, h.square), square);
    }
    k->softmax_jacobian(n, n, score_scale(f), lnstab__at_const(k, f->weights.data, h.square),
                        square);
    mix(f, run, h, 0, ds, f->k.data, 0.0, dq);
    mix(f, run, h, 1, ds, f->q.data, 0.0, dk);
}

static void backward(const void *self, const struct lnstab__run *run, const void *x, const void *dy,
                     void *dx) {
    const struct lnstab__attention *f = self;
    const struct lnstab__workspace *work = run->work;
    void *dq = lnstab__gradient_of(run, &f->q, work->q);
    void *dk = lnstab__gradient_of(run, &f->k, work->k);
    void *dv = lnstab__gradient_of(run, &f->v, work->v);
    const void *d_o = dy;
    if (f->w_o.weight.data) {
        void *through = lnstab__gradient_of(run, &f->output, work->heads);
        lnstab__linear_backward(&f->w_o, run, f->output.data, dy, 0.0, through);
        d_o = through;
    }
    for (size_t i = 0; i < run->batch * f->heads; ++i) {
        backward_head(f, run, head_at(f, run, i), d_o, dq, dk, dv);
    }
    lnstab__linear_backward(&f->w_q, run, x, dq, 0.0, dx);
    lnstab__linear_backward(&f->w_k, run, x, dk, 1.0, dx);
    lnstab__linear_backward(&f->w_v, run, x, dv, 1.0, dx);
}

/* tO = tP V + P tV,  tP = P (tS - <P, tS>)/sqrt(head_dim),  tS = tQ K^T + Q tK^T */
static void jvp(const void *self, const struct lnstab__run *run, const void *v, void *jv) {
    const struct lnstab__attention *f = self;
    const struct lnstab__workspace *work = run->work;
    const struct lnstab__kernels *k = run->kernels;
    const size_t n = run->tokens;
    void *t_o = f->w_o.weight.data ? work->heads : jv;
    lnstab__linear_jvp(&f->w_q, run, v, work->q);
    lnstab__linear_jvp(&f->w_k, run, v, work->k);
    lnstab__linear_jvp(&f->w_v, run, v, work->v);
    for (size_t i = 0; i < run->batch * f->heads; ++i) {
        const struct head h = head_at(f, run, i);
        outer(f, run, h, 1.0, work->q, f->k.data, 0.0, work->weights);
        outer(f, run, h, 1.0, f->q.data, work->k, 1.0, work->weights);
        k->softmax_jacobian(n, n, score_scale(f), lnstab__at_const(k, f->weights.data, h.square),
                            lnstab__at(k, work->weights, h.square));
        mix(f, run, h, 0, work->weights, f->v.data, 0.0, t_o);
        mix(f, run, h, 0, f->weights.data, work->v, 1.0, t_o);
    }
    if (f->w_o.weight.data) {
        lnstab__linear_jvp(&f->w_o, run, t_o, jv);
    }
}

const struct lnstab__branch lnstab__attention_branch = {forward, backward, jvp};
