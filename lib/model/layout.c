#include "model/plan.h"

/* The block of a model:
 *
 *     | model | tensor table | sublayers | input | layer 1 | ... | layer L | output | batch | workspace |
 *
 * each part with its parameters, their gradients, its states and their costates. */

/* The gradient of the input is always there to be asked for, as far as gradients are. */
static struct lnstab__state input_state(struct lnstab__plan *p, struct lnstab__axes rows) {
    struct lnstab__state held = {.data = lnstab__plan_array(p, rows)};
    if (p->m->spec.gradients || p->m->spec.keep_states >= 2) {
        held.grad = lnstab__plan_array(p, rows);
    }
    return held;
}

static void lay_out_input(struct lnstab__plan *p) {
    lnstab_model *m = p->m;
    const int64_t *d = &m->extents.width;
    const struct lnstab__axes rows = lnstab__axes_rows(p, d);
    m->embedding.width = (size_t)*d;
    if (!m->spec.embedded) {
        const struct lnstab__init normal = {LNSTAB__NORMAL, 1.0, LNSTAB__KIND_EMBED_TOKEN, 0};
        const struct lnstab__axes axes = lnstab__axes_2(&m->extents.vocab, d);
        m->embedding.table = lnstab__plan_parameter(p, "embed.token", axes, normal);
    }
    m->norm_embed = lnstab__plan_norm(p, "norm_embed", m->spec.embed_norm, 1.0);
    m->embed_in = input_state(p, rows);
    m->embed_out = lnstab__norm_is_identity(&m->norm_embed) ? m->embed_in : input_state(p, rows);
    lnstab__plan_enter_state(p, "embed.in", rows, m->embed_in);
    lnstab__plan_enter_state(p, "embed.out", rows, m->embed_out);
}

/* Returns the state that the last layer leaves. */
static struct lnstab__state lay_out_layers(struct lnstab__plan *p) {
    struct lnstab__state stream = p->m->embed_out;
    for (int64_t k = 0; k < 2 * p->m->spec.layers; ++k) {
        struct lnstab__sublayer measured = {0};
        struct lnstab__sublayer *s = p->m->sublayers ? &p->m->sublayers[k] : &measured;
        lnstab__plan_sublayer(p, k, stream, s);
        stream = s->out;
    }
    return stream;
}

static void lay_out_output(struct lnstab__plan *p, struct lnstab__state stream) {
    lnstab_model *m = p->m;
    const int64_t *d = &m->extents.width, *vocab = &m->extents.vocab;
    m->norm_final = lnstab__plan_norm(p, "norm_final", m->spec.final_norm, 1.0);
    m->output = lnstab__plan_state_behind(p, &m->norm_final, stream);
    lnstab__plan_enter_state(p, "output", lnstab__axes_rows(p, d), m->output);
    if (m->spec.head) {
        const struct lnstab__axes axes = lnstab__axes_rows(p, vocab);
        m->head = (struct lnstab__linear){.in = (size_t)*d, .out = (size_t)*vocab};
        m->head.weight = lnstab__plan_parameter(
            p, "head.w", lnstab__axes_2(vocab, d),
            lnstab__plan_weight_init(m->spec.head_init, LNSTAB__KIND_HEAD_W, 0, 1.0, *d, *vocab));
        m->logits = (struct lnstab__state){.data = lnstab__plan_array(p, axes)};
        lnstab__plan_enter_state(p, "logits", axes, m->logits);
    }
}

static void lay_out_batch(struct lnstab__plan *p) {
    lnstab_model *m = p->m;
    const size_t rows = (size_t)(m->spec.max_batch * m->spec.max_tokens);
    m->batch.tokens = lnstab__arena_take(&p->arena, rows, sizeof *m->batch.tokens);
    m->batch.targets = lnstab__arena_take(&p->arena, rows, sizeof *m->batch.targets);
    m->batch.keep = lnstab__arena_take(&p->arena, rows, sizeof *m->batch.keep);
    m->loss = (struct lnstab__loss){.classes = (size_t)m->spec.vocab,
                                    .ignore_index = m->spec.ignore_index};
}

static void lay_out_workspace(struct lnstab__plan *p) {
    lnstab_model *m = p->m;
    struct lnstab__workspace *w = &m->work;
    const struct lnstab__axes rows = lnstab__axes_rows(p, &m->extents.width);
    void **const arrays[] = {&w->stream[0], &w->stream[1], &w->sum, &w->f_out, &w->branch,
                             &w->f_in,      &w->q,         &w->k,   &w->v,     &w->heads};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; ++i) {
        *arrays[i] = lnstab__plan_array(p, rows);
    }
    w->weights = lnstab__plan_array(p, lnstab__axes_square(p));
    w->hidden = lnstab__plan_array(p, lnstab__axes_rows(p, &m->extents.ffn_width));
    if (m->spec.head) {
        w->logits = lnstab__plan_array(p, lnstab__axes_rows(p, &m->extents.vocab));
    }
    int64_t widest = m->spec.width > m->spec.ffn_width ? m->spec.width : m->spec.ffn_width;
    w->columns = lnstab__arena_take(&p->arena, (size_t)(2 * widest), sizeof *w->columns);
}

static void prepare(lnstab_model *m, const struct lnstab__spec *spec) {
    *m = (lnstab_model){.spec = *spec,
                        .kernels = lnstab__kernels_find(spec->dtype),
                        .extents = {.batch = spec->max_batch,
                                    .tokens = spec->max_tokens,
                                    .width = spec->width,
                                    .ffn_width = spec->ffn_width,
                                    .heads = spec->heads,
                                    .vocab = spec->vocab}};
}

static void lay_out(struct lnstab__plan *p, int32_t parameters, int32_t tensors) {
    lnstab_model *m = p->m;
    const size_t sublayers = (size_t)(2 * m->spec.layers);
    p->next_state = parameters;
    m->tensors = lnstab__arena_take(&p->arena, (size_t)tensors, sizeof *m->tensors);
    m->sublayers = lnstab__arena_take(&p->arena, sublayers, sizeof *m->sublayers);
    lay_out_input(p);
    lay_out_output(p, lay_out_layers(p));
    lay_out_batch(p);
    lay_out_workspace(p);
    m->parameter_count = p->next_parameter;
    m->tensor_count = p->next_state;
    m->extents.batch = m->extents.tokens = 0;
}

/* Lays nothing out but counts: the parameters, the tensors, and the bytes behind the tensor table. */
static void measure(const struct lnstab__spec *spec, int32_t *parameters, int32_t *tensors,
                    size_t *bytes) {
    lnstab_model model;
    struct lnstab__plan p = {.m = &model};
    prepare(&model, spec);
    lay_out(&p, 0, 0);
    *parameters = model.parameter_count;
    *tensors = model.parameter_count + model.tensor_count;
    *bytes = p.arena.used;
}

size_t lnstab__model_bytes(const struct lnstab__spec *spec) {
    struct lnstab__arena front = {0};
    int32_t parameters, tensors;
    size_t rest;
    measure(spec, &parameters, &tensors, &rest);
    lnstab__arena_take(&front, 1, sizeof(lnstab_model));
    lnstab__arena_take(&front, (size_t)tensors, sizeof(struct lnstab_tensor));
    return lnstab__size_sum(front.used, rest);
}

lnstab_model *lnstab__model_lay_out(const struct lnstab__spec *spec, void *block) {
    struct lnstab__plan p = {.arena = {.base = block}};
    int32_t parameters, tensors;
    size_t rest;
    measure(spec, &parameters, &tensors, &rest);
    p.m = lnstab__arena_take(&p.arena, 1, sizeof *p.m);
    prepare(p.m, spec);
    lay_out(&p, parameters, tensors);
    p.m->bytes = p.arena.used;
    return p.m;
}
