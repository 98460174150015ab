#include "model/plan.h"

#include <stdio.h>

/* A matrix of layer l and its bias, named by what stands behind "w_" and "b_". */
struct matrix {
    const char *name;
    enum lnstab__kind kind;
    enum lnstab__gain gain;
    int ends_branch;
};

static struct lnstab__linear linear(struct lnstab__plan *p, int64_t k, struct matrix m,
                                    const int64_t *in, const int64_t *out) {
    const struct lnstab__spec *spec = &p->m->spec;
    const size_t branches = m.ends_branch ? (size_t)(2 * spec->layers) : 0;
    const int64_t l = k / 2 + 1;
    const double gain = lnstab__spec_value(spec, lnstab__spec_row(spec, k).gain[m.gain], l);
    const struct lnstab__init init =
        lnstab__scheme_init(spec->init, (size_t)*in, (size_t)*out, branches);
    struct lnstab__linear f = {.in = (size_t)*in, .out = (size_t)*out};
    char full[16];
    snprintf(full, sizeof full, "w_%s", m.name);
    f.weight = lnstab__plan_parameter(p, full, lnstab__axes_2(out, in),
                                      lnstab__plan_weight_init(init, m.kind, l, gain));
    if (spec->bias) {
        snprintf(full, sizeof full, "b_%s", m.name);
        f.bias = lnstab__plan_parameter(p, full, lnstab__axes_1(out), lnstab__init_constant(0.0));
    }
    return f;
}

static void attention_parameters(struct lnstab__plan *p, int64_t k, struct lnstab__attention *f) {
    static const struct matrix w_q = {"q", LNSTAB__KIND_W_Q, LNSTAB__GAIN_QK, 0};
    static const struct matrix w_k = {"k", LNSTAB__KIND_W_K, LNSTAB__GAIN_QK, 0};
    static const struct matrix w_v = {"v", LNSTAB__KIND_W_V, LNSTAB__GAIN_V, 0};
    static const struct matrix w_o = {"o", LNSTAB__KIND_W_O, LNSTAB__GAIN_O, 1};
    const struct lnstab__spec *spec = &p->m->spec;
    const struct lnstab__extents *e = &p->m->extents;
    const int present = spec->qk_norm != LNSTAB__QK_NORM_NONE;
    const int full = spec->qk_norm == LNSTAB__QK_NORM_FULL;
    *f = (struct lnstab__attention){
        .heads = (size_t)spec->heads,
        .kv_heads = (size_t)spec->kv_heads,
        .panel_rows = LNSTAB__PANEL_ROWS,
        .head_dim = (size_t)e->head_width,
        .causal = spec->causal,
        .soft_cap = spec->soft_cap,
        .weights_are_kept = spec->recompute == LNSTAB__RECOMPUTE_NONE,
        .output_is_remade = spec->out_proj && spec->recompute == LNSTAB__RECOMPUTE_NONLINEAR,
        .rotary = p->m->rotary};
    f->w_q = linear(p, k, w_q, &e->width, &e->width);
    f->w_k = linear(p, k, w_k, &e->width, &e->kv_width);
    f->w_v = linear(p, k, w_v, &e->width, &e->kv_width);
    f->norm_q = lnstab__plan_norm(p, "norm_q", present, 1.0, full ? &e->width : &e->head_width,
                                  full ? 1 : spec->heads);
    f->norm_k = lnstab__plan_norm(p, "norm_k", present, 1.0, full ? &e->kv_width : &e->head_width,
                                  full ? 1 : spec->kv_heads);
    if (spec->out_proj) {
        f->w_o = linear(p, k, w_o, &e->width, &e->width);
    }
}

static void ffn_parameters(struct lnstab__plan *p, int64_t k, struct lnstab__ffn *f) {
    static const struct matrix w_1 = {"1", LNSTAB__KIND_W_1, LNSTAB__GAIN_W1, 0};
    static const struct matrix w_2 = {"2", LNSTAB__KIND_W_2, LNSTAB__GAIN_W2, 1};
    static const struct matrix w_3 = {"3", LNSTAB__KIND_W_3, LNSTAB__GAIN_W1, 0};
    const int64_t *d = &p->m->extents.width, *d_ff = &p->m->extents.ffn_width;
    *f = (struct lnstab__ffn){.activation = p->m->spec.activation};
    f->w_1 = linear(p, k, w_1, d, d_ff);
    f->w_2 = linear(p, k, w_2, d_ff, d);
    if (p->m->spec.gated) {
        f->w_3 = linear(p, k, w_3, d, d_ff);
    }
}

static void sublayer_parameters(struct lnstab__plan *p, int64_t k, struct lnstab__sublayer *s) {
    const struct lnstab__spec *spec = &p->m->spec;
    const int64_t l = k / 2 + 1, *d = &p->m->extents.width;
    const struct lnstab__placement_row row = lnstab__spec_row(spec, k);
    const double kappa = lnstab__spec_value(spec, row.kappa, l);
    s->norm_in = lnstab__plan_norm(p, "norm_in", row.norm_in, kappa, d, 1);
    if (k % 2) {
        s->f = &lnstab__ffn_branch;
        ffn_parameters(p, k, &s->of.ffn);
    } else {
        s->f = &lnstab__attention_branch;
        attention_parameters(p, k, &s->of.attention);
    }
    s->norm_out = lnstab__plan_norm(p, "norm_out", row.norm_out, 1.0, d, 1);
    s->norm_res = lnstab__plan_norm(p, "norm_res", row.norm_res, 1.0, d, 1);
    s->alpha = lnstab__spec_value(spec, row.alpha, l);
    s->beta = lnstab__spec_value(spec, row.beta, l);
}

/* A state that is the same array as another one where nothing stands between them, but with a gradient
 * of its own: that of the other one has more in it. */
static struct lnstab__state beside(struct lnstab__plan *p, int is_same, struct lnstab__state other,
                                   struct lnstab__axes axes, enum lnstab__life life) {
    if (!is_same) {
        return lnstab__plan_take_state(p, axes, life);
    }
    other.grad = lnstab__plan_gradient(p, p->m->spec.keep_states >= 2, axes);
    return other;
}

/* q or k, then q_hat or k_hat: where they are the same, so are their gradients. */
static struct lnstab__state placed(struct lnstab__plan *p, const char *const names[2],
                                   const struct lnstab__norm_op *norm, struct lnstab__axes axes,
                                   struct lnstab__state *from) {
    const int is_same = !p->m->rotary.head_dim && lnstab__norm_is_identity(norm);
    const enum lnstab__life life = lnstab__plan_life(p, LNSTAB__RECOMPUTE_BLOCKS);
    *from = lnstab__plan_state(p, names[0], axes, life);
    if (is_same) {
        lnstab__plan_enter_state(p, names[1], axes, *from, life);
        return *from;
    }
    return lnstab__plan_state(p, names[1], axes, lnstab__plan_life(p, LNSTAB__RECOMPUTE_NONLINEAR));
}

static void attention_states(struct lnstab__plan *p, struct lnstab__sublayer *s,
                             enum lnstab__life branch_life) {
    static const char *const q[] = {"q", "q_hat"}, *const k[] = {"k", "k_hat"};
    struct lnstab__attention *f = &s->of.attention;
    const struct lnstab__axes rows = lnstab__axes_rows(p, &p->m->extents.width);
    const struct lnstab__axes kv_rows = lnstab__axes_rows(p, &p->m->extents.kv_width);
    const enum lnstab__life life =
        p->m->spec.out_proj ? lnstab__plan_life(p, LNSTAB__RECOMPUTE_NONLINEAR) : branch_life;
    f->q_hat = placed(p, q, &f->norm_q, rows, &f->q);
    f->k_hat = placed(p, k, &f->norm_k, kv_rows, &f->k);
    f->v = lnstab__plan_state(p, "v", kv_rows, lnstab__plan_life(p, LNSTAB__RECOMPUTE_BLOCKS));
    if (f->weights_are_kept) {
        f->weights = lnstab__plan_take_state(p, lnstab__axes_square(p), LNSTAB__LASTING);
    }
    lnstab__plan_enter_state(p, "weights", lnstab__axes_square(p), f->weights, LNSTAB__LASTING);
    f->output = p->m->spec.out_proj ? lnstab__plan_take_state(p, rows, life) : s->branch;
    lnstab__plan_enter_state(p, "heads", rows, f->output, life);
}

static void ffn_states(struct lnstab__plan *p, struct lnstab__ffn *f) {
    const struct lnstab__axes rows = lnstab__axes_rows(p, &p->m->extents.ffn_width);
    const enum lnstab__life life = lnstab__plan_life(p, LNSTAB__RECOMPUTE_BLOCKS);
    const int in_place = f->activation == LNSTAB__RELU && !p->m->spec.gated;
    const enum lnstab__life hidden_life =
        in_place ? life : lnstab__plan_life(p, LNSTAB__RECOMPUTE_NONLINEAR);
    f->hidden = lnstab__plan_take_state(p, rows, hidden_life);
    f->pre = beside(p, in_place, f->hidden, rows, life);
    if (!in_place) {
        lnstab__plan_enter_state(p, "pre", rows, f->pre, life);
    }
    if (p->m->spec.gated) {
        f->up = lnstab__plan_state(p, "up", rows, life);
    }
    lnstab__plan_enter_state(p, "hidden", rows, f->hidden, hidden_life);
}

static struct lnstab__state f_out_state(struct lnstab__plan *p, const struct lnstab__sublayer *s,
                                        struct lnstab__axes rows) {
    const struct lnstab__state none = {NULL, NULL};
    return lnstab__norm_is_identity(&s->norm_out) ? s->branch
           : p->m->spec.keep_states >= 1 ? lnstab__plan_take_state(p, rows, LNSTAB__LASTING)
                                         : none;
}

/* Where nothing but sum reads branch, it is made in sum's place, unless it is to be kept. */
static int branch_is_passed(const struct lnstab__plan *p, const struct lnstab__sublayer *s) {
    return p->m->spec.keep_states == 0 && lnstab__norm_is_identity(&s->norm_out);
}

/* out outlives its sublayer in any case: it is the next one's in. */
static void sublayer_states(struct lnstab__plan *p, int64_t k, struct lnstab__sublayer *s) {
    const struct lnstab__axes rows = lnstab__axes_rows(p, &p->m->extents.width);
    const enum lnstab__life life = lnstab__plan_life(p, LNSTAB__RECOMPUTE_BLOCKS);
    const int sum_is_out = lnstab__norm_is_identity(&s->norm_res);
    const int same_f_in = lnstab__norm_is_identity(&s->norm_in);
    const int passed = branch_is_passed(p, s);
    const enum lnstab__life f_in_life = lnstab__plan_life(p, LNSTAB__RECOMPUTE_NONLINEAR);
    const enum lnstab__life branch_life = passed ? LNSTAB__BRIEF : life;
    p->is_before_w_2 = 1;
    lnstab__plan_enter_state(p, "in", rows, s->in, LNSTAB__LASTING);
    s->f_in = beside(p, same_f_in, s->in, rows, f_in_life);
    lnstab__plan_enter_state(p, "f_in", rows, s->f_in, same_f_in ? LNSTAB__LASTING : f_in_life);
    p->is_before_w_2 = k % 2 == 0;
    s->out = lnstab__plan_take_state(p, rows, LNSTAB__LASTING);
    s->sum = sum_is_out ? s->out : lnstab__plan_take_state(p, rows, life);
    s->branch = passed ? s->sum : lnstab__plan_take_state(p, rows, life);
    if (k % 2) {
        p->is_before_w_2 = 1;
        ffn_states(p, &s->of.ffn);
        p->is_before_w_2 = 0;
    } else {
        attention_states(p, s, branch_life);
    }
    lnstab__plan_enter_state(p, "branch", rows, s->branch, branch_life);
    s->f_out = f_out_state(p, s, rows);
    lnstab__plan_enter_state(p, "f_out", rows, s->f_out, branch_life);
    lnstab__plan_enter_state(p, "sum", rows, s->sum, sum_is_out ? LNSTAB__LASTING : life);
    lnstab__plan_enter_state(p, "out", rows, s->out, LNSTAB__LASTING);
}

void lnstab__plan_sublayer(struct lnstab__plan *p, int64_t k, struct lnstab__state in,
                           struct lnstab__sublayer *s) {
    snprintf(p->prefix, sizeof p->prefix, "layer.%lld.%s.", (long long)(k / 2 + 1),
             k % 2 ? "ffn" : "attn");
    s->in = in;
    p->layer = k / 2 + 1;
    p->is_before_w_2 = k % 2 == 0;
    p->brief.used = 0;
    sublayer_parameters(p, k, s);
    sublayer_states(p, k, s);
    p->brief_size = p->brief.used > p->brief_size ? p->brief.used : p->brief_size;
    p->prefix[0] = '\0';
    if (p->visitor) {
        p->visitor->sublayer(p->visitor->self, k, s);
    }
}
