#include "nn/attention.h"

#include <math.h>

/* The corner of one (batch, head): the first element of its part of q and O, of k and V, and of the
 * weights. */
struct head {
    size_t batch, q, kv, square;
    int first_of_group; /* the first of the heads that share a key and value head */
};

static struct head head_at(const struct lnstab__attention *f, const struct lnstab__run *run,
                           size_t i) {
    const size_t batch = i / f->heads, h = i % f->heads, group = f->heads / f->kv_heads;
    return (struct head){.batch = batch,
                         .q = (batch * run->tokens * f->heads + h) * f->head_dim,
                         .kv = (batch * run->tokens * f->kv_heads + h / group) * f->head_dim,
                         .square = i * run->tokens * run->tokens,
                         .first_of_group = h % group == 0};
}

static size_t q_width(const struct lnstab__attention *f) {
    return f->heads * f->head_dim;
}

static size_t kv_width(const struct lnstab__attention *f) {
    return f->kv_heads * f->head_dim;
}

/* S = scale A B^T + keep S: tokens x tokens, from a part of q or O and a part of k or V */
static void outer(const struct lnstab__attention *f, const struct lnstab__run *run, struct head h,
                  double scale, const void *a, const void *b, double keep, void *s) {
    const struct lnstab__kernels *k = run->kernels;
    k->gemm(0, 1, run->tokens, run->tokens, f->head_dim, scale, lnstab__at_const(k, a, h.q),
            q_width(f), lnstab__at_const(k, b, h.kv), kv_width(f), keep, lnstab__at(k, s, h.square),
            run->tokens);
}

/* C = P B + keep C: a part of q or O from the weights and a part of k or V */
static void mix(const struct lnstab__attention *f, const struct lnstab__run *run, struct head h,
                const void *p, const void *b, double keep, void *c) {
    const struct lnstab__kernels *k = run->kernels;
    k->gemm(0, 0, run->tokens, f->head_dim, run->tokens, 1.0, lnstab__at_const(k, p, h.square),
            run->tokens, lnstab__at_const(k, b, h.kv), kv_width(f), keep, lnstab__at(k, c, h.q),
            q_width(f));
}

/* C = P^T B, summed over the heads of a group: a part of k or V from the weights and a part of q or O */
static void gather(const struct lnstab__attention *f, const struct lnstab__run *run, struct head h,
                   const void *p, const void *b, void *c) {
    const struct lnstab__kernels *k = run->kernels;
    k->gemm(1, 0, run->tokens, f->head_dim, run->tokens, 1.0, lnstab__at_const(k, p, h.square),
            run->tokens, lnstab__at_const(k, b, h.q), q_width(f), h.first_of_group ? 0.0 : 1.0,
            lnstab__at(k, c, h.kv), kv_width(f));
}

static double score_scale(const struct lnstab__attention *f) {
    return 1.0 / sqrt((double)f->head_dim);
}

/* The scores of one head into s, scaled and capped. */
static void score(const struct lnstab__attention *f, const struct lnstab__run *run, struct head h,
                  void *s) {
    const struct lnstab__kernels *k = run->kernels;
    outer(f, run, h, score_scale(f), f->q_hat.data, f->k_hat.data, 0.0, s);
    if (f->soft_cap > 0) {
        k->soft_cap(run->tokens * run->tokens, f->soft_cap, lnstab__at(k, s, h.square));
    }
}

static void attend(const struct lnstab__attention *f, const struct lnstab__run *run,
                   struct head h) {
    const struct lnstab__kernels *k = run->kernels;
    const struct lnstab__softmax_mask mask = {
        .keep = run->keep ? run->keep + h.batch * run->tokens : NULL, .causal = f->causal};
    score(f, run, h, f->weights.data);
    k->softmax(run->tokens, run->tokens, 1.0, mask, lnstab__at(k, f->weights.data, h.square));
}

/* The weights of one head as a later pass reads them. */
static const void *recall(const struct lnstab__attention *f, const struct lnstab__run *run,
                          struct head h) {
    if (!f->weights_are_kept) {
        attend(f, run, h);
    }
    return f->weights.data;
}

/* q to q_hat, or k to k_hat */
static void place(const struct lnstab__attention *f, const struct lnstab__run *run,
                  const struct lnstab__norm_op *norm, size_t pieces,
                  const struct lnstab__state *from, const struct lnstab__state *to) {
    const void *normed = lnstab__norm_op_forward(norm, run, from->data, to->data);
    if (normed != to->data) {
        run->kernels->scale(run->rows * pieces * f->head_dim, 1.0, normed, to->data);
    }
    lnstab__rotary_apply(&f->rotary, run, pieces, 1.0, to->data);
}

static void forward(const void *self, const struct lnstab__run *run, const void *x, void *y) {
    const struct lnstab__attention *f = self;
    void *o = f->w_o.weight.data ? f->output.data : y;
    lnstab__linear_forward(&f->w_q, run, x, f->q.data);
    lnstab__linear_forward(&f->w_k, run, x, f->k.data);
    lnstab__linear_forward(&f->w_v, run, x, f->v.data);
    place(f, run, &f->norm_q, f->heads, &f->q, &f->q_hat);
    place(f, run, &f->norm_k, f->kv_heads, &f->k, &f->k_hat);
    for (size_t i = 0; i < run->batch * f->heads; ++i) {
        const struct head h = head_at(f, run, i);
        attend(f, run, h);
        mix(f, run, h, f->weights.data, f->v.data, 0.0, o);
    }
    if (f->w_o.weight.data) {
        lnstab__linear_forward(&f->w_o, run, o, y);
    }
}

/* From the derivative of the weights of one head, in place, to that of its scores before the cap. */
static void through_softmax(const struct lnstab__run *run, struct head h, const void *p, void *t) {
    const struct lnstab__kernels *k = run->kernels;
    k->softmax_jacobian(run->tokens, run->tokens, 1.0, lnstab__at_const(k, p, h.square),
                        lnstab__at(k, t, h.square));
}

/* A capped score is made anew to know how much of it the cap lets through. */
static void through_cap(const struct lnstab__attention *f, const struct lnstab__run *run,
                        struct head h, void *t) {
    const struct lnstab__kernels *k = run->kernels;
    if (f->soft_cap > 0) {
        score(f, run, h, run->work->capped);
        k->soft_cap_jacobian(run->tokens * run->tokens, f->soft_cap,
                             lnstab__at(k, run->work->capped, h.square),
                             lnstab__at(k, t, h.square));
    }
}

/* dP is kept as the weights' costate; what it makes of the scores goes over a copy. */
static void backward_head(const struct lnstab__attention *f, const struct lnstab__run *run,
                          struct head h, const void *d_o, void *dq, void *dk, void *dv) {
    const struct lnstab__kernels *k = run->kernels;
    const size_t square = run->tokens * run->tokens;
    void *ds = run->work->weights;
    void *dp = lnstab__gradient_of(run, &f->weights, ds);
    const void *p = recall(f, run, h);
    outer(f, run, h, 1.0, d_o, f->v.data, 0.0, dp);
    gather(f, run, h, p, d_o, dv);
    if (dp != ds) {
        k->scale(square, 1.0, lnstab__at(k, dp, h.square), lnstab__at(k, ds, h.square));
    }
    through_softmax(run, h, p, ds);
    through_cap(f, run, h, ds);
    k->scale(square, score_scale(f), lnstab__at(k, ds, h.square), lnstab__at(k, ds, h.square));
    mix(f, run, h, ds, f->k_hat.data, 0.0, dq);
    gather(f, run, h, ds, f->q_hat.data, dk);
}

/* From q_hat's gradient, kept if it is a costate, to q's: returns where that is. */
static const void *unplace(const struct lnstab__attention *f, const struct lnstab__run *run,
                           const struct lnstab__norm_op *norm, size_t pieces,
                           const struct lnstab__state *from, const void *d_hat, void *room) {
    const size_t n = run->rows * pieces * f->head_dim;
    if (!f->rotary.cosine && lnstab__norm_is_identity(norm)) {
        return d_hat;
    }
    void *to = lnstab__gradient_of(run, from, room);
    if (to != d_hat) {
        run->kernels->scale(n, 1.0, d_hat, to);
    }
    lnstab__rotary_apply(&f->rotary, run, pieces, -1.0, to);
    return lnstab__norm_op_backward(norm, run, from->data, to, to);
}

static void backward(const void *self, const struct lnstab__run *run, const void *x, const void *dy,
                     void *dx) {
    const struct lnstab__attention *f = self;
    const struct lnstab__workspace *work = run->work;
    void *dq_hat = lnstab__gradient_of(run, &f->q_hat, work->q_hat);
    void *dk_hat = lnstab__gradient_of(run, &f->k_hat, work->k_hat);
    void *dv = lnstab__gradient_of(run, &f->v, work->v);
    const void *d_o = dy;
    if (f->w_o.weight.data) {
        void *through = lnstab__gradient_of(run, &f->output, work->heads);
        lnstab__linear_backward(&f->w_o, run, f->output.data, dy, 0.0, through);
        d_o = through;
    }
    for (size_t i = 0; i < run->batch * f->heads; ++i) {
        backward_head(f, run, head_at(f, run, i), d_o, dq_hat, dk_hat, dv);
    }
    const void *dq = unplace(f, run, &f->norm_q, f->heads, &f->q, dq_hat, work->q);
    const void *dk = unplace(f, run, &f->norm_k, f->kv_heads, &f->k, dk_hat, work->k);
    lnstab__linear_backward(&f->w_q, run, x, dq, 0.0, dx);
    lnstab__linear_backward(&f->w_k, run, x, dk, 1.0, dx);
    lnstab__linear_backward(&f->w_v, run, x, dv, 1.0, dx);
}

/* q's tangent, in place, to q_hat's. */
static void place_tangent(const struct lnstab__attention *f, const struct lnstab__run *run,
                          const struct lnstab__norm_op *norm, size_t pieces,
                          const struct lnstab__state *from, void *t) {
    lnstab__norm_op_jvp(norm, run, from->data, t, t);
    lnstab__rotary_apply(&f->rotary, run, pieces, 1.0, t);
}

/* tO = tP V + P tV,  tP = softmax'(tS),  tS = (tQ K^T + Q tK^T)/sqrt(head_dim) */
static void jvp_head(const struct lnstab__attention *f, const struct lnstab__run *run,
                     struct head h, void *t_o) {
    const struct lnstab__workspace *work = run->work;
    const void *p = recall(f, run, h);
    outer(f, run, h, score_scale(f), work->q, f->k_hat.data, 0.0, work->weights);
    outer(f, run, h, score_scale(f), f->q_hat.data, work->k, 1.0, work->weights);
    through_cap(f, run, h, work->weights);
    through_softmax(run, h, p, work->weights);
    mix(f, run, h, work->weights, f->v.data, 0.0, t_o);
    mix(f, run, h, p, work->v, 1.0, t_o);
}

static void jvp(const void *self, const struct lnstab__run *run, const void *v, void *jv) {
    const struct lnstab__attention *f = self;
    const struct lnstab__workspace *work = run->work;
    void *t_o = f->w_o.weight.data ? work->heads : jv;
    lnstab__linear_jvp(&f->w_q, run, v, work->q);
    lnstab__linear_jvp(&f->w_k, run, v, work->k);
    lnstab__linear_jvp(&f->w_v, run, v, work->v);
    place_tangent(f, run, &f->norm_q, f->heads, &f->q, work->q);
    place_tangent(f, run, &f->norm_k, f->kv_heads, &f->k, work->k);
    for (size_t i = 0; i < run->batch * f->heads; ++i) {
        jvp_head(f, run, head_at(f, run, i), t_o);
    }
    if (f->w_o.weight.data) {
        lnstab__linear_jvp(&f->w_o, run, t_o, jv);
    }
}

const struct lnstab__branch lnstab__attention_branch = {forward, backward, jvp};
