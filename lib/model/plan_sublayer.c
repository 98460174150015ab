#include "model/plan.h"

#include <stdio.h>

/* A matrix of layer l and its bias, named by what stands behind "w_" and "b_". */
static struct lnstab__linear linear(struct lnstab__plan *p, int64_t l, const char *name,
                                    enum lnstab__kind kind, enum lnstab__gain gain,
                                    const int64_t *in, const int64_t *out) {
    const struct lnstab__spec *spec = &p->m->spec;
    double factor = lnstab__spec_value(spec, lnstab__spec_row(spec, l)->gain[gain], l);
    struct lnstab__linear f = {.in = (size_t)*in, .out = (size_t)*out};
    char full[16];
    snprintf(full, sizeof full, "w_%s", name);
    f.weight =
        lnstab__plan_parameter(p, full, lnstab__axes_2(out, in),
                               lnstab__plan_weight_init(spec->init, kind, l, factor, *in, *out));
    if (spec->bias) {
        snprintf(full, sizeof full, "b_%s", name);
        f.bias = lnstab__plan_parameter(p, full, lnstab__axes_1(out), lnstab__init_constant(0.0));
    }
    return f;
}

static void attention_parameters(struct lnstab__plan *p, int64_t l, struct lnstab__attention *f) {
    const int64_t *d = &p->m->extents.width;
    *f = (struct lnstab__attention){.heads = (size_t)p->m->spec.heads,
                                    .head_dim = (size_t)(p->m->spec.width / p->m->spec.heads),
                                    .causal = p->m->spec.causal};
    f->w_q = linear(p, l, "q", LNSTAB__KIND_W_Q, LNSTAB__GAIN_QK, d, d);
    f->w_k = linear(p, l, "k", LNSTAB__KIND_W_K, LNSTAB__GAIN_QK, d, d);
    f->w_v = linear(p, l, "v", LNSTAB__KIND_W_V, LNSTAB__GAIN_V, d, d);
    if (p->m->spec.out_proj) {
        f->w_o = linear(p, l, "o", LNSTAB__KIND_W_O, LNSTAB__GAIN_O, d, d);
    }
}

static void ffn_parameters(struct lnstab__plan *p, int64_t l, struct lnstab__ffn *f) {
    const int64_t *d = &p->m->extents.width, *d_ff = &p->m->extents.ffn_width;
    f->w_1 = linear(p, l, "1", LNSTAB__KIND_W_1, LNSTAB__GAIN_W1, d, d_ff);
    f->w_2 = linear(p, l, "2", LNSTAB__KIND_W_2, LNSTAB__GAIN_W2, d_ff, d);
}

static void sublayer_parameters(struct lnstab__plan *p, int64_t k, struct lnstab__sublayer *s) {
    const struct lnstab__spec *spec = &p->m->spec;
    const int64_t l = k / 2 + 1;
    const struct lnstab__placement_row *row = lnstab__spec_row(spec, l);
    const double kappa = lnstab__spec_value(spec, row->kappa, l);
    s->norm_in = lnstab__plan_norm(p, "norm_in", row->norm_in, kappa);
    if (k % 2) {
        s->f = &lnstab__ffn_branch;
        ffn_parameters(p, l, &s->of.ffn);
    } else {
        s->f = &lnstab__attention_branch;
        attention_parameters(p, l, &s->of.attention);
    }
    s->norm_out = lnstab__plan_norm(p, "norm_out", row->norm_out, 1.0);
    s->norm_res = lnstab__plan_norm(p, "norm_res", row->norm_res, 1.0);
    s->alpha = lnstab__spec_value(spec, row->alpha, l);
    s->beta = lnstab__spec_value(spec, row->beta, l);
}

static void attention_states(struct lnstab__plan *p, struct lnstab__sublayer *s) {
    struct lnstab__attention *f = &s->of.attention;
    const struct lnstab__axes rows = lnstab__axes_rows(p, &p->m->extents.width);
    f->q = lnstab__plan_state(p, "q", rows);
    f->k = lnstab__plan_state(p, "k", rows);
    f->v = lnstab__plan_state(p, "v", rows);
    f->weights = lnstab__plan_state(p, "weights", lnstab__axes_square(p));
    f->output = p->m->spec.out_proj ? lnstab__plan_take_state(p, rows) : s->branch;
    lnstab__plan_enter_state(p, "heads", rows, f->output);
}

/* f_in has a gradient of its own even where it is the same array as in: the costate of in also has what
 * comes down the residual path. */
static struct lnstab__state f_in_state(struct lnstab__plan *p, const struct lnstab__sublayer *s) {
    struct lnstab__state f_in = lnstab__plan_state_behind(p, &s->norm_in, s->in);
    if (lnstab__norm_is_identity(&s->norm_in) && p->m->spec.keep_states >= 2) {
        f_in.grad = lnstab__plan_array(p, lnstab__axes_rows(p, &p->m->extents.width));
    }
    return f_in;
}

static struct lnstab__state f_out_state(struct lnstab__plan *p, const struct lnstab__sublayer *s) {
    const int kept = p->m->spec.keep_states >= 1 || lnstab__norm_is_identity(&s->norm_out);
    return kept ? lnstab__plan_state_behind(p, &s->norm_out, s->branch)
                : (struct lnstab__state){NULL, NULL};
}

static void sublayer_states(struct lnstab__plan *p, int64_t k, struct lnstab__sublayer *s) {
    const struct lnstab__axes rows = lnstab__axes_rows(p, &p->m->extents.width);
    lnstab__plan_enter_state(p, "in", rows, s->in);
    s->f_in = f_in_state(p, s);
    lnstab__plan_enter_state(p, "f_in", rows, s->f_in);
    s->branch = lnstab__plan_take_state(p, rows);
    if (k % 2) {
        const struct lnstab__axes hidden = lnstab__axes_rows(p, &p->m->extents.ffn_width);
        s->of.ffn.hidden = lnstab__plan_state(p, "hidden", hidden);
    } else {
        attention_states(p, s);
    }
    lnstab__plan_enter_state(p, "branch", rows, s->branch);
    s->f_out = f_out_state(p, s);
    lnstab__plan_enter_state(p, "f_out", rows, s->f_out);
    s->sum = lnstab__plan_state(p, "sum", rows);
    s->out = lnstab__plan_state_behind(p, &s->norm_res, s->sum);
    lnstab__plan_enter_state(p, "out", rows, s->out);
}

void lnstab__plan_sublayer(struct lnstab__plan *p, int64_t k, struct lnstab__state in,
                           struct lnstab__sublayer *s) {
    snprintf(p->prefix, sizeof p->prefix, "layer.%lld.%s.", (long long)(k / 2 + 1),
             k % 2 ? "ffn" : "attn");
    s->in = in;
    sublayer_parameters(p, k, s);
    sublayer_states(p, k, s);
    p->prefix[0] = '\0';
}
