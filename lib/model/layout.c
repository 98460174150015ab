#include "model/plan.h"

/* The block of a model:
 *
 *     | model | tensor table | sublayers | brief | input | layer 1 | ... | layer L | output | batch |
 *     | workspace | krylov |
 *
 * input, layers and output with their parameters, their gradients, their states and costates. brief is
 * what all sublayers lay their states over where backward makes those anew. */

/* The gradient of the input is always there to be asked for, as far as gradients are. */
static struct lnstab__state input_state(struct lnstab__plan *p, struct lnstab__axes rows) {
    struct lnstab__state held = {.data = lnstab__plan_array(p, rows)};
    held.grad = lnstab__plan_gradient(p, p->m->spec.gradients || p->m->spec.keep_states >= 2, rows);
    return held;
}

/* A table of width entries a row, drawn by its own fan. */
static struct lnstab__state drawn_table(struct lnstab__plan *p, const char *name,
                                        const int64_t *rows, enum lnstab__kind kind) {
    const struct lnstab__spec *spec = &p->m->spec;
    const int64_t *d = &p->m->extents.width;
    const double gain = lnstab__spec_value(spec, spec->gain_embed, 1);
    const struct lnstab__init init =
        lnstab__scheme_init(spec->embed_init, (size_t)*d, (size_t)*rows, 0);
    return lnstab__plan_parameter(p, name, lnstab__axes_2(rows, d),
                                  lnstab__plan_weight_init(init, kind, 0, gain));
}

static void lay_out_positions(struct lnstab__plan *p) {
    lnstab_model *m = p->m;
    const int64_t *d = &m->extents.width, *max_tokens = &m->extents.max_tokens;
    m->position = (struct lnstab__position){.width = (size_t)*d};
    if (m->spec.positions == LNSTAB__LEARNED) {
        m->position.table =
            drawn_table(p, "embed.position", max_tokens, LNSTAB__KIND_EMBED_POSITION);
    } else if (m->spec.positions == LNSTAB__SINUSOIDAL) {
        m->position.table.data = lnstab__plan_array(p, lnstab__axes_2(max_tokens, d));
    } else if (m->spec.positions == LNSTAB__ROTARY) {
        const size_t angles = (size_t)(*max_tokens * m->extents.head_width / 2);
        m->rotary.head_dim = (size_t)m->extents.head_width;
        m->rotary.cosine = lnstab__arena_take(&p->arena, angles, sizeof *m->rotary.cosine);
        m->rotary.sine = lnstab__arena_take(&p->arena, angles, sizeof *m->rotary.sine);
    }
}

static void lay_out_tables(struct lnstab__plan *p) {
    lnstab_model *m = p->m;
    m->embedding =
        (struct lnstab__embedding){.width = (size_t)m->extents.width, .scale = m->spec.embed_scale};
    if (!m->spec.embedded) {
        m->embedding.table =
            drawn_table(p, "embed.token", &m->extents.vocab, LNSTAB__KIND_EMBED_TOKEN);
    }
    lay_out_positions(p);
}

static void lay_out_input(struct lnstab__plan *p) {
    lnstab_model *m = p->m;
    const int64_t *d = &m->extents.width;
    const struct lnstab__axes rows = lnstab__axes_rows(p, d);
    lay_out_tables(p);
    m->norm_embed = lnstab__plan_norm(p, "norm_embed", m->spec.embed_norm, 1.0, d, 1);
    m->embed_in = input_state(p, rows);
    m->embed_out = lnstab__norm_is_identity(&m->norm_embed) ? m->embed_in : input_state(p, rows);
    lnstab__plan_enter_state(p, "embed.in", rows, m->embed_in, LNSTAB__LASTING);
    lnstab__plan_enter_state(p, "embed.out", rows, m->embed_out, LNSTAB__LASTING);
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

static void lay_out_head(struct lnstab__plan *p) {
    lnstab_model *m = p->m;
    const int64_t *d = &m->extents.width, *vocab = &m->extents.vocab;
    const struct lnstab__axes logits = lnstab__axes_rows(p, vocab);
    const struct lnstab__axes tokens = {2, {&m->extents.batch, &m->extents.tokens}};
    m->head = (struct lnstab__linear){.in = (size_t)*d, .out = (size_t)*vocab};
    if (m->spec.head == LNSTAB__HEAD_TIED) {
        m->head.weight = m->embedding.table;
    } else {
        const struct lnstab__init drawn =
            lnstab__scheme_init(m->spec.head_init, (size_t)*d, (size_t)*vocab, 0);
        m->head.weight =
            lnstab__plan_parameter(p, "head.w", lnstab__axes_2(vocab, d),
                                   lnstab__plan_weight_init(drawn, LNSTAB__KIND_HEAD_W, 0, 1.0));
    }
    m->logits.data = lnstab__plan_array(p, logits);
    m->token_loss.data = lnstab__plan_array(p, tokens);
    lnstab__plan_enter_state(p, "logits", logits, m->logits, LNSTAB__LASTING);
    lnstab__plan_enter_state(p, "token_loss", tokens, m->token_loss, LNSTAB__LASTING);
    m->loss = (struct lnstab__loss){.classes = (size_t)*vocab,
                                    .ignore_index = m->spec.ignore_index,
                                    .smoothing = m->spec.label_smoothing};
}

static void lay_out_output(struct lnstab__plan *p, struct lnstab__state stream) {
    lnstab_model *m = p->m;
    const int64_t *d = &m->extents.width;
    const struct lnstab__axes rows = lnstab__axes_rows(p, d);
    p->layer = m->spec.layers + 1;
    m->norm_final = lnstab__plan_norm(p, "norm_final", m->spec.final_norm, 1.0, d, 1);
    m->output = lnstab__norm_is_identity(&m->norm_final)
                    ? stream
                    : lnstab__plan_take_state(p, rows, LNSTAB__LASTING);
    lnstab__plan_enter_state(p, "output", rows, m->output, LNSTAB__LASTING);
    if (m->spec.head != LNSTAB__HEAD_NONE) {
        lay_out_head(p);
    }
}

static void lay_out_batch(struct lnstab__plan *p) {
    lnstab_model *m = p->m;
    const size_t rows = (size_t)(m->spec.max_batch * m->spec.max_tokens);
    m->batch.tokens = lnstab__arena_take(&p->arena, rows, sizeof *m->batch.tokens);
    m->batch.targets = lnstab__arena_take(&p->arena, rows, sizeof *m->batch.targets);
    m->batch.keep = lnstab__arena_take(&p->arena, rows, sizeof *m->batch.keep);
}

static void take_arrays(struct lnstab__plan *p, int64_t *columns, void ***arrays, size_t count) {
    for (size_t i = 0; i < count; ++i) {
        *arrays[i] = lnstab__plan_array(p, lnstab__axes_rows(p, columns));
    }
}

static double *take_doubles(struct lnstab__plan *p, size_t rows, size_t columns) {
    return lnstab__arena_take(&p->arena, lnstab__size_product(rows, columns), sizeof(double));
}

/* Panels of attention scores, as many as may be at work at once. */
static void take_panels(struct lnstab__plan *p) {
    lnstab_model *m = p->m;
    struct lnstab__workspace *w = &m->work;
    void **panels[] = {&w->weights, &w->scores, &w->capped};
    const size_t room = lnstab__attention_room((size_t)m->spec.max_tokens,
                                               (size_t)(m->spec.max_batch * m->spec.heads),
                                               (size_t)m->spec.threads);
    for (int i = 0; i < (m->spec.soft_cap > 0 ? 3 : 2); ++i) {
        *panels[i] = lnstab__arena_take(&p->arena, room, m->kernels->size);
    }
}

static void take_for_attention(struct lnstab__plan *p) {
    struct lnstab__workspace *w = &p->m->work;
    void **wide[] = {&w->q, &w->q_hat, &w->heads}, **kv[] = {&w->k, &w->k_hat, &w->v};
    take_arrays(p, &p->m->extents.width, wide, sizeof wide / sizeof *wide);
    take_arrays(p, &p->m->extents.kv_width, kv, sizeof kv / sizeof *kv);
    take_panels(p);
}

static void take_for_ffn(struct lnstab__plan *p) {
    void **hidden[] = {&p->m->work.hidden, &p->m->work.up};
    take_arrays(p, &p->m->extents.ffn_width, hidden, p->m->spec.gated ? 2 : 1);
}

/* Two sets of arrays that are never alive together lie over one another. */
static void take_either(struct lnstab__plan *p, void (*one)(struct lnstab__plan *p),
                        void (*other)(struct lnstab__plan *p)) {
    const size_t start = p->arena.used;
    one(p);
    const size_t end = p->arena.used;
    p->arena.used = start;
    other(p);
    p->arena.used = p->arena.used > end ? p->arena.used : end;
}

static void take_for_sublayer(struct lnstab__plan *p) {
    struct lnstab__workspace *w = &p->m->work;
    void **wide[] = {&w->sum, &w->f_out, &w->branch, &w->f_in};
    take_arrays(p, &p->m->extents.width, wide, sizeof wide / sizeof *wide);
    take_either(p, take_for_attention, take_for_ffn);
}

static void take_for_head(struct lnstab__plan *p) {
    if (p->m->spec.head != LNSTAB__HEAD_NONE) {
        const int64_t rows = p->m->spec.max_batch * p->m->spec.max_tokens;
        const int64_t block = rows < LNSTAB__LOGIT_ROWS ? rows : LNSTAB__LOGIT_ROWS;
        p->m->work.logits = lnstab__plan_array(p, lnstab__axes_2(&block, &p->m->extents.vocab));
    }
}

static void lay_out_workspace(struct lnstab__plan *p) {
    lnstab_model *m = p->m;
    struct lnstab__workspace *w = &m->work;
    void **stream[] = {&w->stream[0], &w->stream[1]};
    take_arrays(p, &m->extents.width, stream, 2);
    take_either(p, take_for_sublayer, take_for_head);
    int64_t widest = m->spec.width > m->spec.ffn_width ? m->spec.width : m->spec.ffn_width;
    w->column_count = (size_t)widest;
    w->columns = take_doubles(p, 2 * (size_t)m->spec.threads, w->column_count);
    m->workers = lnstab__workers_take(&p->arena, (size_t)m->spec.threads);
}

/* W_1 and W_2 of each layer, and W_V W_O, W_Q and W_K or their product of each head. */
static void lay_out_known_norms(struct lnstab__plan *p) {
    const size_t capacity = (size_t)p->m->spec.layers * (2 + 3 * (size_t)p->m->spec.heads);
    struct lnstab__known_norms *known = lnstab__arena_take(&p->arena, 1, sizeof *known);
    struct lnstab__known_norm *list = lnstab__arena_take(&p->arena, capacity, sizeof *list);
    if (known) {
        *known = (struct lnstab__known_norms){.capacity = capacity, .list = list};
    }
    p->m->krylov.known = known;
}

static void lay_out_krylov(struct lnstab__plan *p) {
    const struct lnstab__spec *spec = &p->m->spec;
    const size_t vectors = (size_t)spec->krylov, width = (size_t)spec->width;
    const size_t length = (size_t)(spec->max_batch * spec->max_tokens) * width;
    if (vectors == 0) {
        return;
    }
    p->m->krylov.lanczos =
        (struct lnstab__lanczos_room){.vectors = vectors,
                                      .v = take_doubles(p, vectors + 1, length),
                                      .u = take_doubles(p, vectors, length),
                                      .b = take_doubles(p, vectors, vectors),
                                      .x = take_doubles(p, vectors, vectors),
                                      .sigma = take_doubles(p, vectors, 1),
                                      .panel = take_doubles(p, vectors, LNSTAB__BASIS_PANEL)};
    for (int i = 0; i < 2; ++i) {
        p->m->krylov.square[i] = take_doubles(p, width, width);
        p->m->krylov.panel[i] = take_doubles(p, width, LNSTAB__KRYLOV_PANEL);
    }
    lay_out_known_norms(p);
}

static void prepare(lnstab_model *m, const struct lnstab__spec *spec) {
    const int64_t head_width = spec->width / spec->heads;
    *m = (lnstab_model){.spec = *spec,
                        .kernels = spec->kernels,
                        .extents = {.batch = spec->max_batch,
                                    .tokens = spec->max_tokens,
                                    .width = spec->width,
                                    .ffn_width = spec->ffn_width,
                                    .heads = spec->heads,
                                    .head_width = head_width,
                                    .kv_width = spec->kv_heads * head_width,
                                    .vocab = spec->vocab,
                                    .max_tokens = spec->max_tokens}};
}

/* What a first run, that only measures, finds. */
struct measure {
    int32_t parameters, tensors;
    size_t bytes, brief; /* behind the tensor table; of the states that sublayers share */
};

static void lay_out(struct lnstab__plan *p, const struct measure *known) {
    lnstab_model *m = p->m;
    const size_t sublayers = (size_t)(2 * m->spec.layers);
    p->next_state = known->parameters;
    m->tensors = lnstab__arena_take(&p->arena, (size_t)known->tensors, sizeof *m->tensors);
    m->sublayers = lnstab__arena_take(&p->arena, sublayers, sizeof *m->sublayers);
    p->brief.base = lnstab__arena_take(&p->arena, known->brief, 1);
    lay_out_input(p);
    lay_out_output(p, lay_out_layers(p));
    lay_out_batch(p);
    lay_out_workspace(p);
    lay_out_krylov(p);
    m->parameter_count = p->next_parameter;
    m->tensor_count = p->next_state;
    m->extents.batch = m->extents.tokens = 0;
}

static struct measure measure(const struct lnstab__spec *spec, const lnstab_model *lender,
                              const struct lnstab__visitor *visitor) {
    lnstab_model model;
    struct lnstab__plan p = {.m = &model, .visitor = visitor, .lender = lender};
    const struct measure nothing = {0};
    prepare(&model, spec);
    lay_out(&p, &nothing);
    return (struct measure){.parameters = model.parameter_count,
                            .tensors = model.parameter_count + model.tensor_count,
                            .bytes = p.arena.used,
                            .brief = p.brief_size};
}

size_t lnstab__model_bytes(const struct lnstab__spec *spec, const lnstab_model *lender) {
    struct lnstab__arena front = {0};
    const struct measure known = measure(spec, lender, NULL);
    lnstab__arena_take(&front, 1, sizeof(lnstab_model));
    lnstab__arena_take(&front, (size_t)known.tensors, sizeof(struct lnstab_tensor));
    lnstab__arena_take(&front, known.brief, 1);
    return lnstab__size_sum(front.used, known.bytes);
}

lnstab_model *lnstab__model_lay_out(const struct lnstab__spec *spec, const lnstab_model *lender,
                                    void *block) {
    struct lnstab__plan p = {.arena = {.base = block}, .lender = lender};
    const struct measure known = measure(spec, lender, NULL);
    p.m = lnstab__arena_take(&p.arena, 1, sizeof *p.m);
    prepare(p.m, spec);
    lay_out(&p, &known);
    p.m->bytes = p.arena.used;
    return p.m;
}

void lnstab__model_visit(const struct lnstab__spec *spec, const struct lnstab__visitor *visitor) {
    (void)measure(spec, NULL, visitor);
}
