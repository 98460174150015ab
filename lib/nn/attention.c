#include "nn/attention.h"

#include <math.h>

#include "nn/split.h"

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

/* What a pass does with heads first..last-1 of batch x heads: products on the thread at hand, and rows that
 * the run's workers share. The arrays are those the pass needs. */
struct pass {
    const struct lnstab__attention *f;
    const struct lnstab__run *run;
    void (*heads)(const struct pass *p, const struct lnstab__run *run, struct lnstab__span span);
    const void *d_o;
    void *o, *dq, *dk, *dv;
};

static size_t group_size(const struct lnstab__attention *f) {
    return f->heads / f->kv_heads;
}

/* Whole groups, which gather sums over, a head at a time while its weights are in the cache. */
static void do_groups(const void *argument, struct lnstab__span span) {
    const struct pass *p = argument;
    const struct lnstab__run alone = lnstab__run_alone(p->run);
    const size_t group = group_size(p->f);
    for (size_t i = span.first * group; i < span.last * group; ++i) {
        p->heads(p, &alone, (struct lnstab__span){0, i, i + 1});
    }
}

/* As few as there is a part's work in for each worker. */
static size_t heads_at_once(const struct lnstab__run *run) {
    const size_t workers = lnstab__workers_count(run->workers);
    const size_t square = run->tokens * run->tokens;
    return workers == 1 ? 1 : workers * ((LNSTAB__GRAIN + square - 1) / square);
}

/* A product counts as in nn/linear.c; each head has two at least. */
static void do_heads(const struct pass *p) {
    const struct lnstab__run *run = p->run;
    const size_t square = run->tokens * run->tokens, all = run->batch * p->f->heads;
    if (run->split_products) {
        lnstab__split(run, run->batch * p->f->kv_heads,
                      group_size(p->f) * square * (1 + p->f->head_dim / 16), do_groups, p);
        return;
    }
    const size_t step = heads_at_once(run);
    for (size_t i = 0; i < all; i += step) {
        p->heads(p, run, (struct lnstab__span){0, i, i + step < all ? i + step : all});
    }
}

typedef void head_rows(const struct lnstab__attention *f, const struct lnstab__run *run,
                       struct head h);

struct rows {
    const struct lnstab__attention *f;
    const struct lnstab__run *run;
    size_t first;
    head_rows *work;
};

static void do_rows(const void *argument, struct lnstab__span span) {
    const struct rows *r = argument;
    for (size_t i = span.first; i < span.last; ++i) {
        r->work(r->f, r->run, head_at(r->f, r->run, r->first + i));
    }
}

static void share_rows(const struct lnstab__attention *f, const struct lnstab__run *run,
                       struct lnstab__span span, head_rows *work) {
    const struct rows rows = {f, run, span.first, work};
    lnstab__split(run, span.last - span.first, run->tokens * run->tokens, do_rows, &rows);
}

static double score_scale(const struct lnstab__attention *f) {
    return 1.0 / sqrt((double)f->head_dim);
}

/* The scores of heads into s, scaled. */
static void score(const struct lnstab__attention *f, const struct lnstab__run *run,
                  struct lnstab__span span, void *s) {
    for (size_t i = span.first; i < span.last; ++i) {
        outer(f, run, head_at(f, run, i), score_scale(f), f->q_hat.data, f->k_hat.data, 0.0, s);
    }
}

static void cap(const struct lnstab__attention *f, const struct lnstab__run *run, struct head h,
                void *s) {
    if (f->soft_cap > 0) {
        run->kernels->soft_cap(run->tokens * run->tokens, f->soft_cap,
                               lnstab__at(run->kernels, s, h.square));
    }
}

static void soften(const struct lnstab__attention *f, const struct lnstab__run *run,
                   struct head h) {
    const struct lnstab__kernels *k = run->kernels;
    const struct lnstab__softmax_mask mask = {
        .keep = run->keep ? run->keep + h.batch * run->tokens : NULL, .causal = f->causal};
    cap(f, run, h, f->weights.data);
    k->softmax(run->tokens, run->tokens, 1.0, mask, lnstab__at(k, f->weights.data, h.square));
}

static void attend(const struct lnstab__attention *f, const struct lnstab__run *run,
                   struct lnstab__span span) {
    score(f, run, span, f->weights.data);
    share_rows(f, run, span, soften);
}

/* The weights as a later pass reads them, and the scores that a cap's derivative does. */
static void recall(const struct lnstab__attention *f, const struct lnstab__run *run,
                   struct lnstab__span span) {
    if (!f->weights_are_kept) {
        attend(f, run, span);
    }
    if (f->soft_cap > 0) {
        score(f, run, span, run->work->capped);
    }
}

/* q to q_hat, or k to k_hat */
static void place(const struct lnstab__attention *f, const struct lnstab__run *run,
                  const struct lnstab__norm_op *norm, size_t pieces,
                  const struct lnstab__state *from, const struct lnstab__state *to) {
    const void *normed = lnstab__norm_op_forward(norm, run, from->data, to->data);
    if (normed != to->data) {
        lnstab__split_scale(run, run->rows, pieces * f->head_dim, 1.0, normed, to->data);
    }
    lnstab__rotary_apply(&f->rotary, run, pieces, 1.0, to->data);
}

static void forward_heads(const struct pass *p, const struct lnstab__run *run,
                          struct lnstab__span span) {
    attend(p->f, run, span);
    for (size_t i = span.first; i < span.last; ++i) {
        mix(p->f, run, head_at(p->f, run, i), p->f->weights.data, p->f->v.data, 0.0, p->o);
    }
}

static void forward(const void *self, const struct lnstab__run *run, const void *x, void *y) {
    const struct lnstab__attention *f = self;
    void *o = f->w_o.weight.data ? f->output.data : y;
    lnstab__linear_forward(&f->w_q, run, x, f->q.data);
    lnstab__linear_forward(&f->w_k, run, x, f->k.data);
    lnstab__linear_forward(&f->w_v, run, x, f->v.data);
    place(f, run, &f->norm_q, f->heads, &f->q, &f->q_hat);
    place(f, run, &f->norm_k, f->kv_heads, &f->k, &f->k_hat);
    const struct pass p = {.f = f, .run = run, .heads = forward_heads, .o = o};
    do_heads(&p);
    if (f->w_o.weight.data) {
        lnstab__linear_forward(&f->w_o, run, o, y);
    }
}

/* From the derivative of the weights of one head, in place, to that of its scores before the cap. */
static void through_softmax(const struct lnstab__attention *f, const struct lnstab__run *run,
                            struct head h) {
    const struct lnstab__kernels *k = run->kernels;
    k->softmax_jacobian(run->tokens, run->tokens, 1.0,
                        lnstab__at_const(k, f->weights.data, h.square),
                        lnstab__at(k, run->work->weights, h.square));
}

/* A capped score is made anew to know how much of it the cap lets through. */
static void through_cap(const struct lnstab__attention *f, const struct lnstab__run *run,
                        struct head h) {
    const struct lnstab__kernels *k = run->kernels;
    if (f->soft_cap > 0) {
        cap(f, run, h, run->work->capped);
        k->soft_cap_jacobian(run->tokens * run->tokens, f->soft_cap,
                             lnstab__at(k, run->work->capped, h.square),
                             lnstab__at(k, run->work->weights, h.square));
    }
}

/* dP is kept as the weights' costate; what it makes of the scores goes over a copy. */
static void backward_rows(const struct lnstab__attention *f, const struct lnstab__run *run,
                          struct head h) {
    const struct lnstab__kernels *k = run->kernels;
    const size_t square = run->tokens * run->tokens;
    void *ds = lnstab__at(k, run->work->weights, h.square);
    void *dp = lnstab__at(k, lnstab__gradient_of(run, &f->weights, run->work->weights), h.square);
    if (dp != ds) {
        k->scale(square, 1.0, dp, ds);
    }
    through_softmax(f, run, h);
    through_cap(f, run, h);
    k->scale(square, score_scale(f), ds, ds);
}

static void backward_heads(const struct pass *p, const struct lnstab__run *run,
                           struct lnstab__span span) {
    const struct lnstab__attention *f = p->f;
    const void *ds = run->work->weights;
    void *dp = lnstab__gradient_of(run, &f->weights, run->work->weights);
    recall(f, run, span);
    for (size_t i = span.first; i < span.last; ++i) {
        const struct head h = head_at(f, run, i);
        outer(f, run, h, 1.0, p->d_o, f->v.data, 0.0, dp);
        gather(f, run, h, f->weights.data, p->d_o, p->dv);
    }
    share_rows(f, run, span, backward_rows);
    for (size_t i = span.first; i < span.last; ++i) {
        const struct head h = head_at(f, run, i);
        mix(f, run, h, ds, f->k_hat.data, 0.0, p->dq);
        gather(f, run, h, ds, f->q_hat.data, p->dk);
    }
}

/* From q_hat's gradient, kept if it is a costate, to q's: returns where that is. */
static const void *unplace(const struct lnstab__attention *f, const struct lnstab__run *run,
                           const struct lnstab__norm_op *norm, size_t pieces,
                           const struct lnstab__state *from, const void *d_hat, void *room) {
    if (!f->rotary.cosine && lnstab__norm_is_identity(norm)) {
        return d_hat;
    }
    void *to = lnstab__gradient_of(run, from, room);
    if (to != d_hat) {
        lnstab__split_scale(run, run->rows, pieces * f->head_dim, 1.0, d_hat, to);
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
    const struct pass p = {.f = f,
                           .run = run,
                           .heads = backward_heads,
                           .d_o = d_o,
                           .dq = dq_hat,
                           .dk = dk_hat,
                           .dv = dv};
    do_heads(&p);
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

static void jvp_rows(const struct lnstab__attention *f, const struct lnstab__run *run,
                     struct head h) {
    through_cap(f, run, h);
    through_softmax(f, run, h);
}

/* tO = tP V + P tV,  tP = softmax'(tS),  tS = (tQ K^T + Q tK^T)/sqrt(head_dim) */
static void jvp_heads(const struct pass *p, const struct lnstab__run *run,
                      struct lnstab__span span) {
    const struct lnstab__attention *f = p->f;
    const struct lnstab__workspace *work = run->work;
    recall(f, run, span);
    for (size_t i = span.first; i < span.last; ++i) {
        const struct head h = head_at(f, run, i);
        outer(f, run, h, score_scale(f), work->q, f->k_hat.data, 0.0, work->weights);
        outer(f, run, h, score_scale(f), f->q_hat.data, work->k, 1.0, work->weights);
    }
    share_rows(f, run, span, jvp_rows);
    for (size_t i = span.first; i < span.last; ++i) {
        const struct head h = head_at(f, run, i);
        mix(f, run, h, work->weights, f->v.data, 0.0, p->o);
        mix(f, run, h, f->weights.data, work->v, 1.0, p->o);
    }
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
    const struct pass p = {.f = f, .run = run, .heads = jvp_heads, .o = t_o};
    do_heads(&p);
    if (f->w_o.weight.data) {
        lnstab__linear_jvp(&f->w_o, run, t_o, jv);
    }
}

const struct lnstab__branch lnstab__attention_branch = {forward, backward, jvp};
