#include "nn/attention.h"

#include <math.h>

#include "nn/panel.h"
#include "nn/split.h"

static size_t at_most(size_t n, size_t limit) {
    return n < limit ? n : limit;
}

static struct lnstab__matrix weights_of(const struct lnstab__attention *f,
                                        const struct lnstab__run *run,
                                        const struct lnstab__panel *p, size_t slot) {
    return f->weights_are_kept ? lnstab__panel_in_square(run, p, f->weights.data)
                               : lnstab__panel_in_room(f, run, p, run->work->weights, slot);
}

/* What a pass does with panels first..last-1, the first of which has that slot of the room: products on
 * the thread at hand, and rows that the run's workers share. The arrays are those the pass needs. */
struct pass {
    const struct lnstab__attention *f;
    const struct lnstab__run *run;
    void (*panels)(const struct pass *p, const struct lnstab__run *run, struct lnstab__span span,
                   size_t slot);
    const void *d_o;
    void *o, *dq, *dk, *dv;
};

/* Whole groups, which gather sums over, a panel at a time while its weights are in the cache. */
static void do_groups(const void *argument, struct lnstab__span span) {
    const struct pass *p = argument;
    const struct lnstab__run alone = lnstab__run_alone(p->run);
    const size_t group =
        p->f->heads / p->f->kv_heads * lnstab__panels_of_head(p->run->tokens, p->f->panel_rows);
    for (size_t i = span.first * group; i < span.last * group; ++i) {
        p->panels(p, &alone, (struct lnstab__span){0, i, i + 1}, span.part);
    }
}

/* Twice a part's work for each worker, or a panel. */
static size_t room_of(size_t panel, size_t workers) {
    const size_t each = workers == 1 ? 0 : 2 * LNSTAB__GRAIN;
    return workers * (panel > each ? panel : each);
}

size_t lnstab__attention_room(size_t tokens, size_t heads, size_t workers) {
    const size_t panel = lnstab__panel_size(tokens, LNSTAB__PANEL_ROWS);
    const size_t all = heads * lnstab__panels_of_head(tokens, LNSTAB__PANEL_ROWS) * panel;
    return at_most(room_of(panel, workers), all);
}

/* A product counts as in nn/linear.c; each panel has two at least. */
static void do_panels(const struct pass *p) {
    const struct lnstab__run *run = p->run;
    const size_t square = run->tokens * run->tokens, heads = run->batch * p->f->heads;
    const size_t all = heads * lnstab__panels_of_head(run->tokens, p->f->panel_rows);
    if (run->split_products) {
        lnstab__split(run, run->batch * p->f->kv_heads,
                      p->f->heads / p->f->kv_heads * square * (1 + p->f->head_dim / 16), do_groups,
                      p);
        return;
    }
    const size_t panel = lnstab__panel_size(run->tokens, p->f->panel_rows);
    const size_t step = room_of(panel, lnstab__workers_count(run->workers)) / panel;
    for (size_t i = 0; i < all; i += step) {
        p->panels(p, run, (struct lnstab__span){0, i, at_most(i + step, all)}, 0);
    }
}

typedef void panel_rows(const struct lnstab__attention *f, const struct lnstab__run *run,
                        const struct lnstab__panel *p, size_t slot);

struct rows {
    const struct lnstab__attention *f;
    const struct lnstab__run *run;
    size_t first, slot;
    panel_rows *work;
};

static void do_rows(const void *argument, struct lnstab__span span) {
    const struct rows *r = argument;
    for (size_t i = span.first; i < span.last; ++i) {
        const struct lnstab__panel p = lnstab__panel_at(r->f, r->run, r->first + i);
        r->work(r->f, r->run, &p, r->slot + i);
    }
}

static void share_rows(const struct lnstab__attention *f, const struct lnstab__run *run,
                       struct lnstab__span span, size_t slot, panel_rows *work) {
    const struct rows rows = {f, run, span.first, slot, work};
    lnstab__split(run, span.last - span.first, lnstab__panel_size(run->tokens, f->panel_rows),
                  do_rows, &rows);
}

static double score_scale(const struct lnstab__attention *f) {
    return 1.0 / sqrt((double)f->head_dim);
}

/* The scores of a panel, scaled. */
static void score(const struct lnstab__attention *f, const struct lnstab__run *run,
                  const struct lnstab__panel *p, struct lnstab__matrix s) {
    lnstab__panel_outer(f, run, p, p->seen, score_scale(f), f->q_hat.data, f->k_hat.data, 0.0, s);
}

static void cap(const struct lnstab__attention *f, const struct lnstab__run *run,
                const struct lnstab__panel *p, struct lnstab__matrix s) {
    for (size_t i = 0; f->soft_cap > 0 && i < p->rows; ++i) {
        run->kernels->soft_cap(p->seen, f->soft_cap, lnstab__at(run->kernels, s.data, i * s.ld));
    }
}

/* Weights that are kept are 0 where a panel sees nothing. */
static void soften(const struct lnstab__attention *f, const struct lnstab__run *run,
                   const struct lnstab__panel *p, size_t slot) {
    const struct lnstab__matrix w = weights_of(f, run, p, slot);
    const struct lnstab__softmax_mask mask = {.keep = run->keep ? run->keep + p->batch * run->tokens
                                                                : NULL,
                                              .causal = f->causal,
                                              .first = p->first};
    cap(f, run, p, w);
    run->kernels->softmax(p->rows, f->weights_are_kept ? run->tokens : p->seen, 1.0, mask, w.data,
                          w.ld);
}

static void attend(const struct lnstab__attention *f, const struct lnstab__run *run,
                   struct lnstab__span span, size_t slot) {
    for (size_t i = span.first; i < span.last; ++i) {
        const struct lnstab__panel p = lnstab__panel_at(f, run, i);
        score(f, run, &p, weights_of(f, run, &p, slot + i - span.first));
    }
    share_rows(f, run, span, slot, soften);
}

/* The weights as a later pass reads them, and the scores that a cap's derivative does. */
static void recall(const struct lnstab__attention *f, const struct lnstab__run *run,
                   struct lnstab__span span, size_t slot) {
    if (!f->weights_are_kept) {
        attend(f, run, span, slot);
    }
    for (size_t i = span.first; f->soft_cap > 0 && i < span.last; ++i) {
        const struct lnstab__panel p = lnstab__panel_at(f, run, i);
        score(f, run, &p,
              lnstab__panel_in_room(f, run, &p, run->work->capped, slot + i - span.first));
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

static void forward_panels(const struct pass *pass, const struct lnstab__run *run,
                           struct lnstab__span span, size_t slot) {
    const struct lnstab__attention *f = pass->f;
    attend(f, run, span, slot);
    for (size_t i = span.first; i < span.last; ++i) {
        const struct lnstab__panel p = lnstab__panel_at(f, run, i);
        lnstab__panel_mix(f, run, &p, weights_of(f, run, &p, slot + i - span.first), f->v.data, 0.0,
                          pass->o);
    }
}

/* O waits for the weights to be made anew. */
static void remake(const void *self, const struct lnstab__run *run) {
    const struct lnstab__attention *f = self;
    place(f, run, &f->norm_q, f->heads, &f->q, &f->q_hat);
    place(f, run, &f->norm_k, f->kv_heads, &f->k, &f->k_hat);
}

static void forward(const void *self, const struct lnstab__run *run, const void *x, void *y) {
    const struct lnstab__attention *f = self;
    void *o = f->w_o.weight.data ? f->output.data : y;
    lnstab__linear_forward(&f->w_q, run, x, f->q.data);
    lnstab__linear_forward(&f->w_k, run, x, f->k.data);
    lnstab__linear_forward(&f->w_v, run, x, f->v.data);
    remake(f, run);
    const struct pass p = {.f = f, .run = run, .panels = forward_panels, .o = o};
    do_panels(&p);
    if (f->w_o.weight.data) {
        lnstab__linear_forward(&f->w_o, run, o, y);
    }
}

static struct lnstab__matrix scores_of(const struct lnstab__attention *f,
                                       const struct lnstab__run *run, const struct lnstab__panel *p,
                                       size_t slot) {
    return lnstab__panel_in_room(f, run, p, run->work->scores, slot);
}

/* From the derivative of the weights, in place, to scale times that of the scores before the cap. */
static void through_softmax(const struct lnstab__attention *f, const struct lnstab__run *run,
                            const struct lnstab__panel *p, size_t slot, double scale) {
    const struct lnstab__matrix w = weights_of(f, run, p, slot), t = scores_of(f, run, p, slot);
    run->kernels->softmax_jacobian(p->rows, p->seen, scale, w.data, w.ld, t.data, t.ld);
}

/* A capped score is made anew to know how much of it the cap lets through. */
static void through_cap(const struct lnstab__attention *f, const struct lnstab__run *run,
                        const struct lnstab__panel *p, size_t slot) {
    if (f->soft_cap > 0) {
        const struct lnstab__matrix capped =
            lnstab__panel_in_room(f, run, p, run->work->capped, slot);
        cap(f, run, p, capped);
        run->kernels->soft_cap_jacobian(p->rows * p->seen, f->soft_cap, capped.data,
                                        scores_of(f, run, p, slot).data);
    }
}

static void backward_rows(const struct lnstab__attention *f, const struct lnstab__run *run,
                          const struct lnstab__panel *p, size_t slot) {
    through_softmax(f, run, p, slot, score_scale(f));
    through_cap(f, run, p, slot);
}

/* dP: a second time, over every column, where it is kept as the weights' costate */
static void differentiate(const struct pass *pass, const struct lnstab__run *run,
                          const struct lnstab__panel *p, size_t slot) {
    const struct lnstab__attention *f = pass->f;
    void *kept = lnstab__gradient_of(run, &f->weights, NULL);
    lnstab__panel_outer(f, run, p, p->seen, 1.0, pass->d_o, f->v.data, 0.0,
                        scores_of(f, run, p, slot));
    if (kept) {
        lnstab__panel_outer(f, run, p, run->tokens, 1.0, pass->d_o, f->v.data, 0.0,
                            lnstab__panel_in_square(run, p, kept));
    }
}

static void backward_panels(const struct pass *pass, const struct lnstab__run *run,
                            struct lnstab__span span, size_t slot) {
    const struct lnstab__attention *f = pass->f;
    recall(f, run, span, slot);
    for (size_t i = span.first; i < span.last; ++i) {
        const struct lnstab__panel p = lnstab__panel_at(f, run, i);
        const size_t at = slot + i - span.first;
        differentiate(pass, run, &p, at);
        lnstab__panel_gather(f, run, &p, weights_of(f, run, &p, at), pass->d_o, pass->dv);
        if (pass->o) {
            lnstab__panel_mix(f, run, &p, weights_of(f, run, &p, at), f->v.data, 0.0, pass->o);
        }
    }
    share_rows(f, run, span, slot, backward_rows);
    for (size_t i = span.first; i < span.last; ++i) {
        const struct lnstab__panel p = lnstab__panel_at(f, run, i);
        const struct lnstab__matrix ds = scores_of(f, run, &p, slot + i - span.first);
        lnstab__panel_mix(f, run, &p, ds, f->k_hat.data, 0.0, pass->dq);
        lnstab__panel_gather(f, run, &p, ds, f->q_hat.data, pass->dk);
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
        lnstab__linear_vjp(&f->w_o, run, dy, 0.0, through);
        d_o = through;
    }
    const struct pass p = {.f = f,
                           .run = run,
                           .panels = backward_panels,
                           .d_o = d_o,
                           .o = run->record && f->output_is_remade ? f->output.data : NULL,
                           .dq = dq_hat,
                           .dk = dk_hat,
                           .dv = dv};
    do_panels(&p);
    if (f->w_o.weight.data) { /* O is there by now, made anew or not */
        lnstab__linear_add_gradients(&f->w_o, run, f->output.data, dy);
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

static void jvp_rows(const struct lnstab__attention *f, const struct lnstab__run *run,
                     const struct lnstab__panel *p, size_t slot) {
    through_cap(f, run, p, slot);
    through_softmax(f, run, p, slot, 1.0);
}

/* tO = tP V + P tV,  tP = softmax'(tS),  tS = (tQ K^T + Q tK^T)/sqrt(head_dim) */
static void jvp_panels(const struct pass *pass, const struct lnstab__run *run,
                       struct lnstab__span span, size_t slot) {
    const struct lnstab__attention *f = pass->f;
    const struct lnstab__workspace *work = run->work;
    recall(f, run, span, slot);
    for (size_t i = span.first; i < span.last; ++i) {
        const struct lnstab__panel p = lnstab__panel_at(f, run, i);
        const struct lnstab__matrix ts = scores_of(f, run, &p, slot + i - span.first);
        lnstab__panel_outer(f, run, &p, p.seen, score_scale(f), work->q, f->k_hat.data, 0.0, ts);
        lnstab__panel_outer(f, run, &p, p.seen, score_scale(f), f->q_hat.data, work->k, 1.0, ts);
    }
    share_rows(f, run, span, slot, jvp_rows);
    for (size_t i = span.first; i < span.last; ++i) {
        const struct lnstab__panel p = lnstab__panel_at(f, run, i);
        const size_t at = slot + i - span.first;
        lnstab__panel_mix(f, run, &p, scores_of(f, run, &p, at), f->v.data, 0.0, pass->o);
        lnstab__panel_mix(f, run, &p, weights_of(f, run, &p, at), work->v, 1.0, pass->o);
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
    const struct pass p = {.f = f, .run = run, .panels = jvp_panels, .o = t_o};
    do_panels(&p);
    if (f->w_o.weight.data) {
        lnstab__linear_jvp(&f->w_o, run, t_o, jv);
    }
}

const struct lnstab__branch lnstab__attention_branch = {forward, backward, remake, jvp};
