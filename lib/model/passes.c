#include <string.h>

#include "model/model.h"
#include "nn/split.h"

static struct lnstab__run run_of(const lnstab_model *m, int record) {
    const size_t batch = (size_t)m->extents.batch, tokens = (size_t)m->extents.tokens;
    return (struct lnstab__run){.kernels = m->kernels,
                                .work = &m->work,
                                .workers = m->workers,
                                .split_products = m->spec.split_products,
                                .grain = lnstab__pace_of(m->spec.split_products).grain,
                                .keep = m->batch.has_keep ? m->batch.keep : NULL,
                                .batch = batch,
                                .tokens = tokens,
                                .rows = batch * tokens,
                                .record = record};
}

static int sublayer_count(const lnstab_model *m) {
    return (int)(2 * m->spec.layers);
}

/* The state at a position of the stream. */
static const struct lnstab__state *stream_at(const lnstab_model *m, int position) {
    return position == 0                   ? &m->embed_out
           : position <= sublayer_count(m) ? &m->sublayers[position - 1].out
                                           : &m->output;
}

void *lnstab__model_stream(const lnstab_model *m, int position) {
    return stream_at(m, position)->data;
}

static void embed(const lnstab_model *m, const struct lnstab__run *run) {
    if (m->embedding.table.data) {
        lnstab__embedding_forward(&m->embedding, run, m->batch.tokens, m->embed_in.data);
    }
    lnstab__position_forward(&m->position, run, m->embed_in.data);
    lnstab__norm_op_forward(&m->norm_embed, run, m->embed_in.data, m->embed_out.data);
}

/* Makes the state at position from the one before it, or from the input. */
static void advance(const lnstab_model *m, const struct lnstab__run *run, int position) {
    if (position == 0) {
        embed(m, run);
    } else if (position <= sublayer_count(m)) {
        lnstab__sublayer_forward(&m->sublayers[position - 1], run);
    } else {
        lnstab__norm_op_forward(&m->norm_final, run, stream_at(m, position - 1)->data,
                                m->output.data);
    }
}

void lnstab__model_forward(lnstab_model *m) {
    const struct lnstab__run run = run_of(m, 0);
    for (int position = m->batch.start + 1; position <= sublayer_count(m) + 1; ++position) {
        advance(m, &run, position);
    }
    if (m->head.weight.data) {
        lnstab__linear_forward(&m->head, &run, m->output.data, m->logits.data);
        memset(m->token_loss.data, 0, run.rows * m->kernels->size); /* the last batch's */
    }
}

double lnstab__model_loss(lnstab_model *m) {
    const struct lnstab__run run = run_of(m, 0);
    return lnstab__loss_forward(&m->loss, &run, m->logits.data, m->batch.targets,
                                m->token_loss.data, &m->batch.counted);
}

/* Sublayer k as its last forward left it: run anew, or as far as it takes, where its states are not kept. */
static const struct lnstab__sublayer *recall(const lnstab_model *m, const struct lnstab__run *run,
                                             int k) {
    if (m->spec.recompute == LNSTAB__RECOMPUTE_BLOCKS) {
        lnstab__sublayer_forward(&m->sublayers[k], run);
    } else if (m->spec.recompute == LNSTAB__RECOMPUTE_NONLINEAR) {
        lnstab__sublayer_remake(&m->sublayers[k], run);
    }
    return &m->sublayers[k];
}

/* The one of the two arrays along the stream that x is not. */
static void *other_than(const lnstab_model *m, const void *x) {
    return m->work.stream[x == m->work.stream[0]];
}

/* Takes the gradient d at position to down to position from; returns where it then is. A backward of W_2 alone ends
 * inside the last sublayer, and returns NULL. */
static const void *stream_backward(const lnstab_model *m, const struct lnstab__run *run, int from,
                                   int to, const void *d) {
    const int ends_inside = run->record && m->spec.gradients_of == LNSTAB__GRADIENTS_OF_W_2;
    for (int k = to; k > from; --k) {
        const struct lnstab__state *below = stream_at(m, k - 1);
        void *room =
            ends_inside && k == from + 1 ? NULL : lnstab__gradient_of(run, below, other_than(m, d));
        if (k > sublayer_count(m)) {
            d = lnstab__norm_op_backward(&m->norm_final, run, below->data, d, room);
        } else {
            lnstab__sublayer_backward(recall(m, run, k - 1), run, d, room);
            d = room;
        }
    }
    return d;
}

/* The gradient of the loss at output, a block of rows after the other: that of the logits is never whole. */
static void head_backward(const lnstab_model *m, const struct lnstab__run *run, void *d_output) {
    const struct lnstab__kernels *k = m->kernels;
    struct lnstab__run block = *run;
    for (size_t first = 0; first < run->rows; first += block.rows) {
        const size_t left = run->rows - first;
        block.rows = left < LNSTAB__LOGIT_ROWS ? left : LNSTAB__LOGIT_ROWS;
        lnstab__loss_backward(&m->loss, &block,
                              lnstab__at_const(k, m->logits.data, first * m->head.out),
                              m->batch.targets + first, m->batch.counted, m->work.logits);
        lnstab__linear_backward(&m->head, &block,
                                lnstab__at_const(k, m->output.data, first * m->head.in),
                                m->work.logits, 0.0, lnstab__at(k, d_output, first * m->head.in));
    }
}

/* Returns the gradient at output, recorded as its costate if there is one. */
static const void *output_gradient(const lnstab_model *m, const struct lnstab__run *run,
                                   const void *given) {
    void *room = lnstab__gradient_of(run, &m->output, m->work.stream[0]);
    if (given) {
        memcpy(room, given, run->rows * (size_t)m->spec.width * m->kernels->size);
    } else {
        head_backward(m, run, room);
    }
    return room;
}

int lnstab__model_backward_end(const lnstab_model *m) {
    int is_w_2;
    const int64_t layer = lnstab__spec_first_gradient(&m->spec, &is_w_2);
    return is_w_2 ? (int)(2 * layer - 1) : layer > 0 ? (int)(2 * (layer - 1)) : LNSTAB__INPUT;
}

void lnstab__model_backward(lnstab_model *m, const void *d_output) {
    const struct lnstab__run run = run_of(m, 1);
    const void *d = output_gradient(m, &run, d_output);
    const int end = lnstab__model_backward_end(m);
    d = stream_backward(m, &run, end == LNSTAB__INPUT ? 0 : end, sublayer_count(m) + 1, d);
    if (end != LNSTAB__INPUT) {
        return;
    }
    lnstab__norm_op_backward(&m->norm_embed, &run, m->embed_in.data, d, m->embed_in.grad);
    lnstab__position_backward(&m->position, &run, m->embed_in.grad);
    if (m->embedding.table.data) {
        lnstab__embedding_backward(&m->embedding, &run, m->batch.tokens, m->embed_in.grad);
    }
}

void *lnstab__model_start(const lnstab_model *m) {
    return m->work.stream[0];
}

const void *lnstab__model_pull(const lnstab_model *m, int from, int to) {
    const struct lnstab__run run = run_of(m, 0);
    return stream_backward(m, &run, from, to, m->work.stream[0]);
}

const void *lnstab__model_push(const lnstab_model *m, int from, int to) {
    const struct lnstab__run run = run_of(m, 0);
    const void *t = m->work.stream[0];
    for (int k = from + 1; k <= to; ++k) {
        void *room = other_than(m, t);
        if (k > sublayer_count(m)) {
            t = lnstab__norm_op_jvp(&m->norm_final, &run, stream_at(m, k - 1)->data, t, room);
        } else {
            lnstab__sublayer_jvp(recall(m, &run, k - 1), &run, t, room);
            t = room;
        }
    }
    return t;
}

size_t lnstab__model_stream_count(const lnstab_model *m) {
    return (size_t)(m->extents.batch * m->extents.tokens * m->spec.width);
}

void lnstab__model_vjp(lnstab_model *m, int from, int to, const void *u, void *uj) {
    const size_t bytes = lnstab__model_stream_count(m) * m->kernels->size;
    memcpy(lnstab__model_start(m), u, bytes);
    memcpy(uj, lnstab__model_pull(m, from, to), bytes);
}

void lnstab__model_jvp(lnstab_model *m, int from, int to, const void *v, void *jv) {
    const size_t bytes = lnstab__model_stream_count(m) * m->kernels->size;
    memcpy(lnstab__model_start(m), v, bytes);
    memcpy(jv, lnstab__model_push(m, from, to), bytes);
}
