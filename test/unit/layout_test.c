/* model/layout.c, plan.c: a model laid out in one block. */

#include <stdint.h>

#include "support/main.h"
#include "unit/model_bench.h"

/* Combinations of what decides which arrays there are. A combination is a number; its digits are the
 * options. A prime stride through all of them meets every digit with every other. */
static const struct {
    const char *key;
    int count;
    const char *values[4];
} options[] = {
    {"keep_states", 3, {"0", "1", "2"}},
    {"gradients", 2, {"0", "1"}},
    {"head", 3, {"none", "separate", "tied"}},
    {"input", 2, {"tokens", "embedded"}},
    {"dtype", 2, {"float32", "float64"}},
    {"embed_norm", 2, {"0", "1"}},
    {"out_proj", 2, {"0", "1"}},
    {"bias", 2, {"0", "1"}},
    {"norm", 2, {"layer", "rms"}},
    {"kappa", 2, {"1", "0.5"}},
    {"recompute", 4, {"none", "attention", "nonlinear", "blocks"}},
    {"kv_heads", 2, {"3", "1"}},
    {"qk_norm", 3, {"none", "head", "full"}},
    {"soft_cap", 2, {"0", "2"}},
    {"activation", 2, {"relu", "silu"}},
    {"gated", 2, {"0", "1"}},
    {"positions", 4, {"none", "learned", "sinusoidal", "rotary"}},
};

enum {
    OPTIONS = sizeof options / sizeof *options,
    COMBINATIONS = 3 * 2 * 3 * 128 * 4 * 2 * 3 * 8 * 4,
    ONE_KV_HEAD = 3 * 2 * 3 * 128 * 4, /* the number with this digit alone */
    STRIDE = 2909,
    PLACEMENTS = 9
};

/* 0 where two options of the combination do not go together. */
static int resolve(int placement, int number, const char *more, struct lnstab__spec *spec) {
    char words[600];
    int length = snprintf(
        words, sizeof words,
        "layers=2 width=6 ffn_width=5 heads=3 vocab=7 max_batch=2 max_tokens=3 placement=%s %s",
        lnstab__placement_at(placement)->name, more);
    for (int i = 0; i < OPTIONS; ++i) {
        length += snprintf(words + length, sizeof words - (size_t)length, " %s=%s", options[i].key,
                           options[i].values[number % options[i].count]);
        number /= options[i].count;
    }
    lnstab_config *c = new_config(words);
    const int32_t status = lnstab__spec_resolve(c, spec);
    lnstab_config_destroy(c);
    return status == LNSTAB_OK;
}

static struct lnstab__spec combination(int placement, int number, const char *more) {
    struct lnstab__spec spec;
    ck_assert(resolve(placement, number, more, &spec));
    return spec;
}

/* A block with a fence behind it. */
struct block {
    unsigned char *memory;
    size_t bytes;
};

enum { FENCE = 64 };

static lnstab_model *lay_out(const struct lnstab__spec *spec, struct block *b) {
    b->bytes = lnstab__model_bytes(spec, NULL);
    b->memory = aligned_alloc(64, b->bytes + FENCE);
    ck_assert_ptr_nonnull(b->memory);
    memset(b->memory, 0, b->bytes);
    memset(b->memory + b->bytes, 0xa5, FENCE);
    lnstab_model *m = lnstab__model_lay_out(spec, NULL, b->memory);
    ck_assert_ptr_eq(m, b->memory);
    return m;
}

/* ---- the arrays of a model, sorted by place ---- */

struct piece {
    const unsigned char *at;
    size_t bytes;
    const char *name;
};

enum { MOST = 600 };

struct pieces {
    struct piece piece[MOST];
    int count;
};

/* One array under a second name is taken once. */
static void add(struct pieces *p, const void *at, size_t bytes, const char *name) {
    for (int i = 0; i < p->count; ++i) {
        if (p->piece[i].at == at) {
            require(p->piece[i].bytes == bytes, "%s and %s", name, p->piece[i].name);
            return;
        }
    }
    if (at) {
        ck_assert_int_lt(p->count, MOST);
        p->piece[p->count++] = (struct piece){at, bytes, name};
    }
}

static void add_all(struct pieces *p, const void *const *at, int count, size_t bytes,
                    const char *name) {
    for (int i = 0; i < count; ++i) {
        ck_assert_ptr_nonnull(at[i]);
        add(p, at[i], bytes, name);
    }
}

/* Whose arrays of the workspace are alive. */
enum use { OF_ATTENTION, OF_FFN, OF_HEAD };

static size_t rows_of(const lnstab_model *m) {
    return (size_t)(m->spec.max_batch * m->spec.max_tokens);
}

static void add_of_sublayer(struct pieces *p, const lnstab_model *m) {
    const struct lnstab__workspace *w = &m->work;
    const void *const wide[] = {w->sum, w->f_out, w->branch, w->f_in};
    add_all(p, wide, 4, rows_of(m) * (size_t)m->spec.width * m->kernels->size, "workspace");
}

static void add_of_attention(struct pieces *p, const lnstab_model *m) {
    const struct lnstab__workspace *w = &m->work;
    const size_t rows = rows_of(m), size = m->kernels->size;
    const size_t panels = size * lnstab__attention_room((size_t)m->spec.max_tokens,
                                                        (size_t)(m->spec.max_batch * m->spec.heads),
                                                        (size_t)m->spec.threads);
    const void *const wide[] = {w->q, w->q_hat, w->heads}, *const kv[] = {w->k, w->k_hat, w->v};
    add_of_sublayer(p, m);
    add_all(p, wide, 3, rows * (size_t)m->spec.width * size, "of queries");
    add_all(p, kv, 3, rows * (size_t)m->extents.kv_width * size, "of keys");
    add(p, w->weights, panels, "weights");
    add(p, w->scores, panels, "scores");
    add(p, w->capped, panels, "capped");
}

static void add_of_ffn(struct pieces *p, const lnstab_model *m) {
    const void *const hidden[] = {m->work.hidden, m->work.up};
    const size_t bytes = rows_of(m) * (size_t)m->spec.ffn_width * m->kernels->size;
    add_of_sublayer(p, m);
    add_all(p, hidden, 1 + m->spec.gated, bytes, "hidden");
}

static void add_of_head(struct pieces *p, const lnstab_model *m) {
    const size_t rows = rows_of(m) < LNSTAB__LOGIT_ROWS ? rows_of(m) : LNSTAB__LOGIT_ROWS;
    add(p, m->work.logits, rows * (size_t)m->spec.vocab * m->kernels->size, "logits");
}

static void add_workspace(struct pieces *p, const lnstab_model *m, enum use use) {
    static void (*const add_of[])(struct pieces * p, const lnstab_model *m) = {
        add_of_attention, add_of_ffn, add_of_head};
    const struct lnstab__workspace *w = &m->work;
    const int wanted[] = {12 + (m->spec.soft_cap > 0), 5 + m->spec.gated,
                          m->spec.head != LNSTAB__HEAD_NONE};
    const int before = p->count;
    add_all(p, (const void *const *)w->stream, 2,
            rows_of(m) * (size_t)m->spec.width * m->kernels->size, "stream");
    add(p, w->columns,
        2 * (size_t)(m->spec.width > m->spec.ffn_width ? m->spec.width : m->spec.ffn_width) *
            sizeof(double),
        "columns");
    add_of[use](p, m);
    ck_assert_int_eq(p->count - before, 3 + wanted[use]); /* each there, and its own */
}

/* Vectors at the largest batch; without krylov there are none. */
static void add_krylov(struct pieces *p, const lnstab_model *m) {
    const struct lnstab__krylov *k = &m->krylov;
    const size_t vectors = (size_t)m->spec.krylov, width = (size_t)m->spec.width;
    const size_t size = sizeof(double);
    const size_t vector = (size_t)(m->spec.max_batch * m->spec.max_tokens) * width * size;
    const int before = p->count;
    add(p, k->lanczos.v, (vectors + 1) * vector, "v");
    add(p, k->lanczos.u, vectors * vector, "u");
    add(p, k->lanczos.b, vectors * vectors * size, "b");
    add(p, k->lanczos.x, vectors * vectors * size, "x");
    add(p, k->lanczos.sigma, vectors * size, "sigma");
    add(p, k->lanczos.panel, vectors * LNSTAB__BASIS_PANEL * size, "panel of vectors");
    for (int i = 0; i < 2; ++i) {
        add(p, k->square[i], width * width * size, "square");
        add(p, k->panel[i], width * LNSTAB__KRYLOV_PANEL * size, "panel");
    }
    ck_assert_int_eq(p->count - before, vectors > 0 ? 10 : 0);
    ck_assert_uint_eq(k->lanczos.vectors, vectors);
}

static void add_tables(struct pieces *p, const lnstab_model *m) {
    const size_t positions = (size_t)m->spec.max_tokens;
    const size_t angles = positions * (size_t)m->extents.head_width / 2 * sizeof(double);
    add(p, m->rotary.cosine, angles, "cosine");
    add(p, m->rotary.sine, angles, "sine");
    add(p, m->position.table.data, positions * (size_t)m->spec.width * m->kernels->size,
        "positions");
}

/* The states of one sublayer, kept or not: those that are not lie over those of the other sublayers. */
static void add_sublayer(struct pieces *p, const lnstab_model *m,
                         const struct lnstab__sublayer *s) {
    const size_t size = m->kernels->size, rows = (size_t)(m->spec.max_batch * m->spec.max_tokens);
    const size_t wide = rows * (size_t)m->spec.width * size,
                 kv = rows * (size_t)m->extents.kv_width * size,
                 ffn = rows * (size_t)m->spec.ffn_width * size,
                 square = rows * (size_t)(m->spec.heads * m->spec.max_tokens) * size;
    const void *const of_width[] = {s->in.data, s->f_in.data, s->branch.data, s->sum.data,
                                    s->out.data};
    add_all(p, of_width, 5, wide, "of width");
    add(p, s->f_out.data, wide, "f_out");
    if (s->f == &lnstab__attention_branch) {
        const struct lnstab__attention *f = &s->of.attention;
        const void *const q[] = {f->q.data, f->q_hat.data, f->output.data}, *const k[] = {
                                                                                f->k.data,
                                                                                f->k_hat.data,
                                                                                f->v.data};
        add_all(p, q, 3, wide, "of queries");
        add_all(p, k, 3, kv, "of keys");
        add(p, f->weights.data, square, "weights");
    } else {
        add(p, s->of.ffn.hidden.data, ffn, "hidden");
        add(p, s->of.ffn.pre.data, ffn, "pre");
        add(p, s->of.ffn.up.data, ffn, "up");
    }
}

static void collect(struct pieces *p, lnstab_model *m, enum use use) {
    const size_t rows = rows_of(m);
    p->count = 0;
    add(p, m, sizeof *m, "model");
    add(p, m->tensors, (size_t)m->tensor_count * sizeof *m->tensors, "tensors");
    add(p, m->sublayers, (size_t)(2 * m->spec.layers) * sizeof *m->sublayers, "sublayers");
    add(p, m->batch.tokens, rows * sizeof(int32_t), "tokens");
    add(p, m->batch.targets, rows * sizeof(int32_t), "targets");
    add(p, m->batch.keep, rows, "keep");
    m->extents.batch = m->spec.max_batch; /* the largest that states can be */
    m->extents.tokens = m->spec.max_tokens;
    for (int32_t i = 0; i < m->tensor_count; ++i) {
        const struct lnstab_tensor *t = &m->tensors[i];
        add(p, t->held.data, lnstab__tensor_count(t) * m->kernels->size, t->name);
        add(p, t->held.grad, lnstab__tensor_count(t) * m->kernels->size, t->name);
    }
    add_tables(p, m);
    add_workspace(p, m, use);
    add_krylov(p, m);
}

static int by_place(const void *a, const void *b) {
    const struct piece *x = a, *y = b;
    return x->at < y->at ? -1 : x->at > y->at;
}

/* All aligned, inside the block, and none into the next. */
static void check_pieces(struct pieces *p, const struct block *b) {
    qsort(p->piece, (size_t)p->count, sizeof *p->piece, by_place);
    for (int i = 0; i < p->count; ++i) {
        const unsigned char *end = p->piece[i].at + p->piece[i].bytes;
        const unsigned char *next = i + 1 < p->count ? p->piece[i + 1].at : b->memory + b->bytes;
        require((uintptr_t)p->piece[i].at % 64 == 0, "%s is not aligned", p->piece[i].name);
        require(end <= next, "%s runs over %s", p->piece[i].name,
                i + 1 < p->count ? p->piece[i + 1].name : "the end");
    }
    ck_assert_ptr_eq(p->piece[0].at, b->memory);
}

/* ---- which names are one array ---- */

static int ends_with(const char *name, const char *end) {
    const size_t n = strlen(name), m = strlen(end);
    return n >= m && strcmp(name + n - m, end) == 0;
}

static struct lnstab__placement_row row_of(const lnstab_model *m, const char *name, int *l) {
    *l = 1;
    sscanf(name, "layer.%d", l);
    return lnstab__spec_row(&m->spec, 2 * *l - (strstr(name, ".attn.") ? 2 : 1));
}

static int is_inside(const char *name) {
    static const char *const ends[] = {".q",     ".q_hat",   ".k",      ".k_hat",
                                       ".v",     ".weights", ".heads",  ".branch",
                                       ".f_out", ".pre",     ".hidden", ".up"};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; ++i) {
        if (ends_with(name, ends[i])) {
            return 1;
        }
    }
    return 0;
}

/* Is a state not kept? What is made anew, and f_out where nothing asks for it. */
static int is_dropped(const lnstab_model *m, const char *name) {
    int l;
    const struct lnstab__spec *s = &m->spec;
    const struct lnstab__placement_row row = row_of(m, name, &l);
    const int blocks = s->recompute == LNSTAB__RECOMPUTE_BLOCKS;
    const int nonlinear = s->recompute >= LNSTAB__RECOMPUTE_NONLINEAR;
    const int placed = s->qk_norm != LNSTAB__QK_NORM_NONE || s->positions == LNSTAB__ROTARY;
    return ends_with(name, ".f_out")     ? s->keep_states == 0
           : ends_with(name, ".branch")  ? blocks || (s->keep_states == 0 && !row.norm_out)
           : ends_with(name, ".weights") ? s->recompute != LNSTAB__RECOMPUTE_NONE
           : ends_with(name, ".heads") && !s->out_proj
               ? blocks || (s->keep_states == 0 && !row.norm_out)
           : ends_with(name, ".heads") ? nonlinear
           : ends_with(name, "_hat")   ? blocks || (nonlinear && placed)
           : ends_with(name, ".hidden")
               ? blocks || (nonlinear && (s->gated || s->activation != LNSTAB__RELU))
           : ends_with(name, ".f_in")
               ? nonlinear && (row.norm_in || lnstab__spec_value(s, row.kappa, l) != 1)
           : ends_with(name, ".sum") ? blocks && row.norm_res
                                     : blocks && is_inside(name);
}

/* Do two neighbours in the table share their data, going by the equation? */
static int shares(const lnstab_model *m, const char *before, const char *name) {
    const struct lnstab__spec *s = &m->spec;
    int l;
    const struct lnstab__placement_row row = row_of(m, name, &l);
    return is_dropped(m, name)            ? 0
           : ends_with(name, "embed.out") ? !s->embed_norm
           : ends_with(name, "_hat")
               ? s->qk_norm == LNSTAB__QK_NORM_NONE && s->positions != LNSTAB__ROTARY
           : ends_with(name, ".in")      ? 1 /* the state before it */
           : ends_with(name, ".f_in")    ? !row.norm_in && lnstab__spec_value(s, row.kappa, l) == 1
           : ends_with(name, ".branch")  ? ends_with(before, ".heads") && !s->out_proj
           : ends_with(name, ".f_out")   ? !row.norm_out
           : ends_with(name, ".out")     ? !row.norm_res
           : strcmp(name, "output") == 0 ? !s->final_norm
                                         : 0;
}

static int is_first_in(const char *name) {
    return strcmp(name, "embed.in") == 0;
}

static void check_sharing(const lnstab_model *m) {
    for (int32_t i = m->parameter_count + 1; i < m->tensor_count; ++i) {
        const struct lnstab_tensor *a = &m->tensors[i - 1], *b = &m->tensors[i];
        const int same = a->held.data == b->held.data && b->held.data != NULL;
        require(same == shares(m, a->name, b->name), "%s and %s of %s", a->name, b->name,
                m->spec.placement->name);
        /* costates follow, but for f_in: that of in also has what comes down the residual path */
        const int own = ends_with(b->name, ".f_in") && a->held.grad != NULL;
        require(!same || (a->held.grad == b->held.grad) == !own, "%s and %s", a->name, b->name);
    }
    ck_assert(is_first_in(m->tensors[m->parameter_count].name));
}

/* ---- what is held ---- */

static void check_parameter(const lnstab_model *m, const struct lnstab_tensor *t) {
    require(!t->is_state && t->held.data, "%s", t->name);
    require((t->held.grad != NULL) == m->spec.gradients && t->held.grad != t->held.data, "%s",
            t->name);
}

static void check_state(const lnstab_model *m, const struct lnstab_tensor *t) {
    const int is_input = strncmp(t->name, "embed.", 6) == 0;
    const int keep = m->spec.keep_states;
    require(t->is_state == 1, "%s", t->name);
    require((t->held.data == NULL) == is_dropped(m, t->name), "%s", t->name);
    if (strcmp(t->name, "logits") == 0 || strcmp(t->name, "token_loss") == 0) {
        require(!t->held.grad, "%s", t->name);
    } else if (keep == 2 || is_input) {
        require((t->held.grad != NULL) == (keep == 2 || m->spec.gradients), "%s", t->name);
    } else { /* an input that nothing stands behind is the first layer's in as well */
        const int may = t->held.grad == m->embed_out.grad && !ends_with(t->name, ".f_in");
        require(!t->held.grad || may, "%s", t->name);
    }
}

static void check_table(const lnstab_model *m) {
    for (int32_t i = 0; i < m->tensor_count; ++i) {
        const struct lnstab_tensor *t = &m->tensors[i];
        (i < m->parameter_count ? check_parameter : check_state)(m, t);
        require(t->dtype == m->spec.dtype, "%s", t->name);
        for (int32_t j = 0; j < i; ++j) {
            require(strcmp(t->name, m->tensors[j].name) != 0, "%s twice", t->name);
            require(i >= m->parameter_count || !t->held.grad ||
                        t->held.grad != m->tensors[j].held.grad,
                    "%s and %s", t->name, m->tensors[j].name);
        }
    }
}

START_TEST(test_every_combination) {
    static struct pieces p;
    int count = 0;
    for (int number = _i; number < COMBINATIONS; number += STRIDE) {
        struct block b;
        struct lnstab__spec spec;
        if (!resolve(_i, number, "", &spec)) {
            continue;
        }
        lnstab_model *m = lay_out(&spec, &b);
        ck_assert_uint_eq(m->bytes, b.bytes);
        ck_assert_uint_eq(b.bytes % 64, 0);
        ck_assert(m->extents.batch == 0 && m->extents.tokens == 0);
        check_table(m);
        check_sharing(m);
        for (int k = 0; k < 4; ++k) {
            collect(&p, m, k % 2 ? OF_FFN : OF_ATTENTION);
            add_sublayer(&p, m, &m->sublayers[k]);
            check_pieces(&p, &b);
        }
        collect(&p, m, OF_HEAD);
        check_pieces(&p, &b);
        free(b.memory);
        count++;
    }
    ck_assert_int_gt(count, COMBINATIONS / STRIDE / 3);
}
END_TEST

START_TEST(test_room_for_vectors) {
    static const char *const words[] = {"krylov=2", "krylov=5 dtype=float64", "krylov=512"};
    static struct pieces p;
    for (int i = 0; i < 3; ++i) {
        struct block b;
        const struct lnstab__spec spec = combination(3, 0, words[i]);
        lnstab_model *m = lay_out(&spec, &b);
        collect(&p, m, OF_ATTENTION);
        check_pieces(&p, &b);
        free(b.memory);
    }
}
END_TEST

/* Running a model at its largest batch stays inside its block. */
START_TEST(test_passes_stay_inside) {
    static const int32_t tokens[6] = {0, 6, 3, 3, 2, 1};
    static const uint8_t keep[6] = {1, 1, 0, 1, 1, 1};
    for (int number = _i; number < COMBINATIONS; number += STRIDE) {
        struct block b;
        double x[36] = {1, 2, 3}, jv[36];
        struct lnstab__spec spec;
        if (!resolve(_i, number, "", &spec)) {
            continue;
        }
        lnstab_model *m = lay_out(&spec, &b);
        lnstab__model_reset(m);
        lnstab__model_init(m, 1);
        m->extents.batch = 2;
        m->extents.tokens = 3;
        m->batch.has_keep = 1;
        memcpy(m->batch.keep, keep, sizeof keep);
        memcpy(m->batch.tokens, tokens, sizeof tokens);
        memcpy(m->batch.targets, tokens, sizeof tokens);
        if (spec.embedded) {
            m->kernels->from_double(36, x, m->embed_in.data);
        }
        lnstab__model_forward(m);
        if (spec.head != LNSTAB__HEAD_NONE) {
            ck_assert(lnstab__model_loss(m) > 0 && m->batch.counted == 6);
        }
        if (spec.gradients) {
            lnstab__model_backward(m, spec.head != LNSTAB__HEAD_NONE ? NULL : x);
        }
        lnstab__model_jvp(m, 0, 5, x, jv);
        lnstab__model_vjp(m, 0, 5, x, jv);
        ck_assert(bytes_are(b.memory + b.bytes, FENCE, 0xa5));
        free(b.memory);
    }
}
END_TEST

/* The number of parameters in the words of the header. */
START_TEST(test_parameters_are_those_of_the_header) {
    struct block b;
    const struct lnstab__spec spec =
        combination(3, 0, ""); /* peri, layer, no biases, no W_O, tokens */
    static const char *const wanted[] = {"embed.token",
                                         "layer.1.attn.norm_in.gamma",
                                         "layer.1.attn.norm_in.bias",
                                         "layer.1.attn.w_q",
                                         "layer.1.attn.w_k",
                                         "layer.1.attn.w_v",
                                         "layer.1.attn.norm_out.gamma",
                                         "layer.1.attn.norm_out.bias",
                                         "layer.1.ffn.norm_in.gamma",
                                         "layer.1.ffn.norm_in.bias",
                                         "layer.1.ffn.w_1",
                                         "layer.1.ffn.w_2",
                                         "layer.1.ffn.norm_out.gamma",
                                         "layer.1.ffn.norm_out.bias"};
    lnstab_model *m = lay_out(&spec, &b);
    for (int i = 0; i < 14; ++i) {
        ck_assert_str_eq(m->tensors[i].name, wanted[i]);
    }
    ck_assert_int_eq(m->parameter_count, 1 + 2 * 13 + 2);
    ck_assert_str_eq(m->tensors[m->parameter_count - 1].name, "norm_final.bias");
    free(b.memory);
}
END_TEST

/* Sizes that do not fit stick, and the largest depth does not overflow a count. */
START_TEST(test_sizes_that_overflow) {
    struct lnstab__spec spec = combination(1, ONE_KV_HEAD, "layers=100000 width=1048576 heads=1");
    spec.ffn_width = 4194304;
    const size_t big = lnstab__model_bytes(&spec, NULL);
    ck_assert_uint_gt(big, (size_t)1 << 50);
    spec.max_batch = 1;
    spec.max_tokens = 16777216;
    spec.heads = 1048576;
    ck_assert_uint_eq(lnstab__model_bytes(&spec, NULL), SIZE_MAX);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("layout");
    TCase *cases = tcase_create("layout");
    tcase_set_timeout(cases, 60);
    tcase_add_loop_test(cases, test_every_combination, 0, PLACEMENTS);
    tcase_add_loop_test(cases, test_passes_stay_inside, 0, PLACEMENTS);
    tcase_add_test(cases, test_room_for_vectors);
    tcase_add_test(cases, test_parameters_are_those_of_the_header);
    tcase_add_test(cases, test_sizes_that_overflow);
    suite_add_tcase(suite, cases);
    return run_suite(suite);
}
