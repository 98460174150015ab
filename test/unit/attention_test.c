/* nn/attention.h: softmax attention of several heads, that may share keys and values, with a norm on
 * queries and keys, rotary positions and a cap on the scores. */

#include "nn/attention.h"

#include "support/main.h"
#include "unit/harness.h"
#include "unit/naive_norm.h"

enum { B = 2, T = 4, HEADS = 2, HD = 4, D = HEADS * HD, ROWS = B * T, NX = ROWS * D, NW = D * D };
enum { NP = B * HEADS * T * T };

/* The variants, as bits of a loop test's number; the options above them are taken a few at a time. */
enum { CAUSAL = 1, MASKED = 2, OUT_PROJ = 4, COSTATES = 8, VARIANTS = 16 };
enum { SHARED_KV = 1, NORM_HEAD = 2, NORM_FULL = 4, ROTARY = 8, CAPPED = 16, RECOMPUTED = 32 };

static const int options[] = {0,
                              SHARED_KV,
                              NORM_HEAD,
                              NORM_FULL,
                              ROTARY,
                              CAPPED,
                              RECOMPUTED,
                              SHARED_KV | NORM_HEAD | ROTARY | CAPPED,
                              SHARED_KV | NORM_FULL | ROTARY | CAPPED | RECOMPUTED};
enum { OPTIONS = sizeof options / sizeof *options, ALL = VARIANTS * OPTIONS };

static const double cap = 1.5, rotary_base = 50;

static const struct lnstab__kernels *const types[] = {&lnstab__kernels_f32, &lnstab__kernels_f64};

/* The first sequence has one key left, the second none at all where causal hides the last. */
static const uint8_t keep[ROWS] = {0, 1, 0, 1, 0, 0, 0, 1};

struct layer {
    struct bench b;
    struct lnstab__attention f;
    size_t kv_heads, kv; /* kv: the width of keys and values */
    void *x, *y, *dy;
};

static struct lnstab__linear linear(struct pool *p, const struct lnstab__kernels *k,
                                    uint32_t stream, size_t out) {
    const size_t n = D * out;
    return (struct lnstab__linear){D,
                                   out,
                                   {pool_draw(p, k, stream, n, 0.5), pool_array(p, k, n)},
                                   {pool_draw(p, k, stream + 1, out, 0.5), pool_array(p, k, out)}};
}

static struct lnstab__norm_op norm(struct pool *p, const struct lnstab__kernels *k, int option,
                                   size_t heads, uint32_t stream) {
    const size_t width = option & NORM_FULL ? heads * HD : HD;
    struct lnstab__norm_op n = {.kind = LNSTAB__NORM_NONE,
                                .width = width,
                                .pieces = option & NORM_FULL ? 1 : heads,
                                .eps = 0.1,
                                .scale = 1};
    if (option & (NORM_HEAD | NORM_FULL)) {
        n.kind = LNSTAB__NORM_LAYER;
        n.gamma =
            (struct lnstab__state){pool_draw(p, k, stream, width, 1), pool_array(p, k, width)};
        n.bias =
            (struct lnstab__state){pool_draw(p, k, stream + 1, width, 1), pool_array(p, k, width)};
    }
    return n;
}

static struct lnstab__rotary rotary(struct pool *p, int option) {
    struct lnstab__rotary r = {0};
    if (option & ROTARY) {
        r = (struct lnstab__rotary){HD, pool_take(p, T * HD / 2 * sizeof(double)),
                                    pool_take(p, T * HD / 2 * sizeof(double))};
        lnstab__rotary_fill(&r, T, rotary_base);
    }
    return r;
}

static struct lnstab__state state(struct pool *p, const struct lnstab__kernels *k, size_t n,
                                  int variant) {
    return (struct lnstab__state){memset(pool_array(p, k, n), 0xff, n * k->size),
                                  variant & COSTATES ? pool_array(p, k, n) : NULL};
}

static struct lnstab__state hat(struct pool *p, const struct lnstab__kernels *k,
                                struct lnstab__state from, size_t n, int variant, int option) {
    const int apart = option & (NORM_HEAD | NORM_FULL | ROTARY);
    return apart ? state(p, k, n, variant) : from;
}

static void states_start(struct layer *l, const struct lnstab__kernels *k, int variant,
                         int option) {
    struct pool *p = &l->b.pool;
    l->f.q = state(p, k, NX, variant);
    l->f.q_hat = hat(p, k, l->f.q, NX, variant, option);
    l->f.k = state(p, k, ROWS * l->kv, variant);
    l->f.k_hat = hat(p, k, l->f.k, ROWS * l->kv, variant, option);
    l->f.v = state(p, k, ROWS * l->kv, variant);
    l->f.weights = state(p, k, NP, variant); /* NaN, and not read where they are not kept */
}

/* number: a variant, and the place of the options above it */
static void layer_start(struct layer *l, const struct lnstab__kernels *k, int number) {
    const int variant = number % VARIANTS, option = options[number / VARIANTS];
    bench_start(&l->b, k, B, T, D, 1, HEADS, 1);
    struct pool *p = &l->b.pool;
    l->b.run.keep = variant & MASKED ? keep : NULL;
    l->kv_heads = option & SHARED_KV ? 1 : HEADS;
    l->kv = l->kv_heads * HD;
    l->f = (struct lnstab__attention){.heads = HEADS,
                                      .kv_heads = l->kv_heads,
                                      .head_dim = HD,
                                      .causal = variant & CAUSAL,
                                      .panel_rows = 1 + (size_t)(number & ~COSTATES) % 5,
                                      .weights_are_kept = !(option & RECOMPUTED),
                                      .soft_cap = option & CAPPED ? cap : 0,
                                      .w_q = linear(p, k, 1, D),
                                      .w_k = linear(p, k, 3, l->kv),
                                      .w_v = linear(p, k, 5, l->kv),
                                      .norm_q = norm(p, k, option, HEADS, 11),
                                      .norm_k = norm(p, k, option, l->kv_heads, 13),
                                      .rotary = rotary(p, option)};
    states_start(l, k, variant, option);
    l->x = pool_draw(p, k, 9, NX, 1);
    l->y = memset(pool_array(p, k, NX), 0xff, NX * k->size);
    l->dy = pool_draw(p, k, 10, NX, 1);
    if (variant & OUT_PROJ) {
        l->f.w_o = linear(p, k, 7, D);
        l->f.output = state(p, k, NX, variant);
    } else { /* O is the branch itself */
        l->f.output = (struct lnstab__state){l->y, NULL};
    }
}

static void layer_call(void *context) {
    struct layer *l = context;
    lnstab__attention_branch.forward(&l->f, &l->b.run, l->x, l->y);
}

static void backward(struct layer *l, void *dx) {
    lnstab__attention_branch.backward(&l->f, &l->b.run, l->x, l->dy, dx);
}

/* ---- the formulas, one number at a time ---- */

static void naive_linear(struct pool *p, const struct lnstab__kernels *k,
                         const struct lnstab__linear *f, const double *x, double *y) {
    const double *w = pool_doubles(p, k, f->weight.data, D * f->out),
                 *b = pool_doubles(p, k, f->bias.data, f->out);
    for (size_t i = 0; i < ROWS * f->out; ++i) {
        y[i] = dot(D, x + i / f->out * D, w + i % f->out * D) + b[i % f->out];
    }
}

/* The complex number (x_i, x_{i + HD/2}) times e^{i angle}, in each head. */
static void naive_turn(size_t heads, double *x) {
    for (size_t i = 0; i < ROWS * heads; ++i) {
        double *head = x + i * HD;
        const double position = (double)(i / heads % T);
        for (size_t j = 0; j < HD / 2; ++j) {
            const double angle = position * pow(rotary_base, -2.0 * (double)j / HD);
            const double a = head[j], b = head[j + HD / 2];
            head[j] = a * cos(angle) - b * sin(angle);
            head[j + HD / 2] = a * sin(angle) + b * cos(angle);
        }
    }
}

/* q to q_hat, or k to k_hat */
static void naive_place(struct pool *p, const struct lnstab__kernels *k,
                        const struct lnstab__attention *f, const struct lnstab__norm_op *n,
                        size_t heads, double *x) {
    if (n->kind != LNSTAB__NORM_NONE) {
        const struct naive_norm naive = {0,
                                         n->width,
                                         n->eps,
                                         1,
                                         pool_doubles(p, k, n->gamma.data, n->width),
                                         pool_doubles(p, k, n->bias.data, n->width)};
        for (size_t i = 0; i < ROWS * heads * HD; i += n->width) {
            double y[D];
            naive_forward(&naive, x + i, y);
            memcpy(x + i, y, n->width * sizeof *y);
        }
    }
    if (f->rotary.cosine) {
        naive_turn(heads, x);
    }
}

/* Where the part of a head starts in q, and in k and v. */
static size_t q_at(size_t batch, size_t query, size_t head) {
    return (batch * T + query) * D + head * HD;
}
static size_t kv_at(const struct layer *l, size_t batch, size_t key, size_t head) {
    return (batch * T + key) * l->kv + (l->kv_heads == HEADS ? head : 0) * HD;
}

/* P of one query: T weights */
static void naive_weights(const struct layer *l, size_t batch, size_t head, size_t query,
                          const double *q, const double *key, double *p) {
    const uint8_t *kept = l->b.run.keep;
    double sum = 0;
    for (size_t j = 0; j < T; ++j) {
        const int seen = (!l->f.causal || j <= query) && (!kept || kept[batch * T + j]);
        double score =
            dot(HD, q + q_at(batch, query, head), key + kv_at(l, batch, j, head)) / sqrt(HD);
        score = l->f.soft_cap > 0 ? cap * tanh(score / cap) : score;
        p[j] = seen ? exp(score) : 0;
        sum += p[j];
    }
    for (size_t j = 0; j < T; ++j) {
        p[j] = sum > 0 ? p[j] / sum : 0;
    }
}

static void naive_heads(const struct layer *l, const double *q, const double *key, const double *v,
                        double *weights, double *o) {
    for (size_t i = 0; i < B * HEADS * T; ++i) {
        const size_t batch = i / (HEADS * T), head = i / T % HEADS, query = i % T;
        double *p = weights + i * T;
        naive_weights(l, batch, head, query, q, key, p);
        for (size_t c = 0; c < HD; ++c) {
            double sum = 0;
            for (size_t j = 0; j < T; ++j) {
                sum += p[j] * v[kv_at(l, batch, j, head) + c];
            }
            o[q_at(batch, query, head) + c] = sum;
        }
    }
}

static void assert_array(const char *what, const struct layer *l, const void *got,
                         const double *wanted, size_t n, double bound) {
    const struct lnstab__kernels *k = l->b.run.kernels;
    for (size_t i = 0; i < n; ++i) {
        double value;
        k->to_double(1, lnstab__at_const(k, got, i), &value);
        assert_near(what, i, value, wanted[i], bound);
    }
}

/* All entries are of order 1 (below 20), and a result is some D products of products deep: 1000 u. A norm
 * of HD entries magnifies by its 1/s, which eps keeps below 4. */
START_TEST(test_forward) {
    const struct lnstab__kernels *k = types[_i / ALL];
    const double bound = 1000 * unit_roundoff(k);
    struct layer l;
    double q[NX], key[NX], v[NX], weights[NP], o[NX], y[NX];
    layer_start(&l, k, _i % ALL);
    struct pool *p = &l.b.pool;
    layer_call(&l);
    const double *x = pool_doubles(p, k, l.x, NX);
    naive_linear(p, k, &l.f.w_q, x, q);
    naive_linear(p, k, &l.f.w_k, x, key);
    naive_linear(p, k, &l.f.w_v, x, v);
    assert_array("q", &l, l.f.q.data, q, NX, bound);
    naive_place(p, k, &l.f, &l.f.norm_q, HEADS, q);
    naive_place(p, k, &l.f, &l.f.norm_k, l.kv_heads, key);
    naive_heads(&l, q, key, v, weights, o);
    memcpy(y, o, sizeof y);
    if (_i & OUT_PROJ) {
        naive_linear(p, k, &l.f.w_o, o, y);
    }
    const double *got_p = l.f.weights_are_kept ? pool_doubles(p, k, l.f.weights.data, NP) : weights;
    for (size_t i = 0; i < NP; ++i) {
        assert_near("P", i, got_p[i], weights[i], weights[i] == 0 ? 0 : bound);
    }
    assert_array("q_hat", &l, l.f.q_hat.data, q, NX, bound);
    assert_array("k_hat", &l, l.f.k_hat.data, key, ROWS * l.kv, bound);
    assert_array("O", &l, l.f.output.data, o, NX, bound);
    assert_array("y", &l, l.y, y, NX, bound);
    pool_end(p);
}
END_TEST

START_TEST(test_backward_against_differences) {
    struct layer l;
    layer_start(&l, types[1], _i);
    const struct probe probe = {layer_call, &l, l.y, l.dy, NX};
    double dx[NX];
    layer_call(&l);
    backward(&l, dx);
    probe_check(&probe, "x", l.x, dx, NX);
    struct lnstab__linear *const maps[] = {&l.f.w_q, &l.f.w_k, &l.f.w_v, &l.f.w_o};
    static const char *const names[] = {"q", "k", "v", "o"};
    for (int i = 0; i < 4 && maps[i]->weight.data; ++i) {
        probe_check(&probe, names[i], maps[i]->weight.data, maps[i]->weight.grad, D * maps[i]->out);
        probe_check(&probe, names[i], maps[i]->bias.data, maps[i]->bias.grad, maps[i]->out);
    }
    const struct lnstab__norm_op *const norms[] = {&l.f.norm_q, &l.f.norm_k};
    for (int i = 0; i < 2 && norms[i]->gamma.data; ++i) {
        probe_check(&probe, "gamma", norms[i]->gamma.data, norms[i]->gamma.grad, norms[i]->width);
        probe_check(&probe, "bias", norms[i]->bias.data, norms[i]->bias.grad, norms[i]->width);
    }
    pool_end(&l.b.pool);
}
END_TEST

START_TEST(test_adjoint) {
    struct layer l;
    double jv[NX], uj[NX];
    layer_start(&l, types[1], _i);
    layer_call(&l);
    for (uint32_t draw = 0; draw < 3; ++draw) {
        const double *v = pool_normals(&l.b.pool, 20 + draw, NX, 1);
        lnstab__attention_branch.jvp(&l.f, &l.b.run, v, jv);
        backward(&l, uj);
        assert_adjoint("attention", NX, l.dy, jv, NX, uj, v);
    }
    pool_end(&l.b.pool);
}
END_TEST

/* The jvp entry by entry, with v along each input in turn, against the differences of the forward. */
START_TEST(test_jvp_against_differences) {
    struct layer l;
    double v[NX] = {0}, jv[NX], u[NX] = {0};
    layer_start(&l, types[1], _i);
    const struct probe probe = {layer_call, &l, l.y, u, NX};
    for (size_t in = 0; in < NX; in += 7) {
        v[in] = 1;
        layer_call(&l);
        lnstab__attention_branch.jvp(&l.f, &l.b.run, v, jv);
        v[in] = 0;
        for (size_t out = 0; out < NX; out += 5) {
            u[out] = 1;
            /* values of order 1: 1e-9 as in probe_check */
            assert_near("jv", out, jv[out], probe_slope(&probe, (double *)l.x + in), 1e-9);
            u[out] = 0;
        }
    }
    pool_end(&l.b.pool);
}
END_TEST

/* dW = dq^T x is checked by differences, so dq is right if it gives dW; dP = dO V^T directly. */
START_TEST(test_costates) {
    struct layer l;
    double dx[NX];
    layer_start(&l, types[1], _i | COSTATES);
    layer_call(&l);
    backward(&l, dx);
    const struct lnstab__linear *const maps[] = {&l.f.w_q, &l.f.w_k, &l.f.w_v};
    const struct lnstab__state *const states[] = {&l.f.q, &l.f.k, &l.f.v};
    for (int map = 0; map < 3; ++map) {
        const double *d = states[map]->grad, *x = l.x, *dw = maps[map]->weight.grad;
        const size_t out = maps[map]->out;
        for (size_t i = 0; i < D * out; ++i) {
            double sum = 0;
            for (size_t row = 0; row < ROWS; ++row) {
                sum += d[row * out + i / D] * x[row * D + i % D];
            }
            assert_near("dW", i, dw[i], sum, 1e-12);
        }
    }
    const double *d_o = l.f.w_o.weight.data ? l.f.output.grad : l.dy, *v = l.f.v.data,
                 *dp = l.f.weights.grad;
    for (size_t i = 0; i < NP; ++i) {
        const size_t batch = i / (HEADS * T * T), head = i / (T * T) % HEADS;
        const double *a = d_o + q_at(batch, i / T % T, head),
                     *b = v + kv_at(&l, batch, i % T, head);
        assert_near("dP", i, dp[i], dot(HD, a, b), 1e-13);
    }
    pool_end(&l.b.pool);
}
END_TEST

/* d k_hat = dS^T q_hat/sqrt(HD), summed over the heads that share a key, dS from dP by softmax's and the
 * cap's derivatives; d q_hat = dS k_hat/sqrt(HD). Some T products of entries below 100. */
START_TEST(test_costates_of_the_placed) {
    struct layer l;
    double dx[NX], dq[NX] = {0}, dk[NX] = {0};
    layer_start(&l, types[1], _i | COSTATES);
    const int are_kept = l.f.weights_are_kept;
    l.f.weights_are_kept = 1; /* for the test to see them */
    layer_call(&l);
    l.f.weights_are_kept = are_kept;
    backward(&l, dx);
    const double *p = l.f.weights.data, *dp = l.f.weights.grad, *q = l.f.q_hat.data,
                 *key = l.f.k_hat.data;
    for (size_t i = 0; i < NP; ++i) {
        const size_t batch = i / (HEADS * T * T), head = i / (T * T) % HEADS;
        const size_t a = q_at(batch, i / T % T, head), b = kv_at(&l, batch, i % T, head);
        const double score = dot(HD, q + a, key + b) / sqrt(HD);
        double ds = p[i] * (dp[i] - dot(T, p + i / T * T, dp + i / T * T)) / sqrt(HD);
        ds *= l.f.soft_cap > 0 ? 1 - tanh(score / cap) * tanh(score / cap) : 1;
        for (size_t c = 0; c < HD; ++c) {
            dq[a + c] += ds * key[b + c];
            dk[b + c] += ds * q[a + c];
        }
    }
    assert_array("dq_hat", &l, l.f.q_hat.grad, dq, NX, 1e-12);
    assert_array("dk_hat", &l, l.f.k_hat.grad, dk, ROWS * l.kv, 1e-12);
    pool_end(&l.b.pool);
}
END_TEST

START_TEST(test_costates_change_nothing_else) {
    struct layer with, without;
    double dx[2][NX];
    layer_start(&with, types[1], _i | COSTATES);
    layer_start(&without, types[1], _i);
    layer_call(&with);
    layer_call(&without);
    ck_assert_mem_eq(with.y, without.y, NX * sizeof(double));
    backward(&with, dx[0]);
    backward(&without, dx[1]);
    ck_assert_mem_eq(dx[0], dx[1], sizeof dx[0]);
    ck_assert_mem_eq(with.f.w_q.weight.grad, without.f.w_q.weight.grad, NW * sizeof(double));
    ck_assert_mem_eq(with.f.w_v.bias.grad, without.f.w_v.bias.grad, with.kv * sizeof(double));
    pool_end(&with.b.pool);
    pool_end(&without.b.pool);
}
END_TEST

enum { GRADS = 19, PARAMETERS = 12 };

/* Every gradient there is and its length: those of parameters, then those of states. */
static void gradients(const struct layer *l, void *grads[GRADS], size_t counts[GRADS]) {
    const struct lnstab__linear *const maps[] = {&l->f.w_q, &l->f.w_k, &l->f.w_v, &l->f.w_o};
    const struct lnstab__norm_op *const norms[] = {&l->f.norm_q, &l->f.norm_k};
    const struct lnstab__state *const states[] = {&l->f.q, &l->f.q_hat,   &l->f.k,     &l->f.k_hat,
                                                  &l->f.v, &l->f.weights, &l->f.output};
    int n = 0;
    for (int i = 0; i < 4; ++i) {
        grads[n] = maps[i]->weight.grad;
        counts[n++] = D * maps[i]->out;
        grads[n] = maps[i]->bias.grad;
        counts[n++] = maps[i]->out;
    }
    for (int i = 0; i < 2; ++i) {
        grads[n] = norms[i]->gamma.grad;
        counts[n++] = norms[i]->gamma.grad ? norms[i]->width : 0;
        grads[n] = norms[i]->bias.grad;
        counts[n++] = norms[i]->gamma.grad ? norms[i]->width : 0;
    }
    for (int i = 0; i < 7; ++i) {
        grads[n] = states[i]->grad;
        counts[n++] = i == 5 ? NP : i >= 2 && i <= 4 ? ROWS * l->kv : NX;
    }
}

START_TEST(test_without_recording) {
    struct layer l;
    double dx[2][NX];
    void *grads[GRADS];
    size_t counts[GRADS];
    layer_start(&l, types[1], VARIANTS * _i + (OUT_PROJ | COSTATES | CAUSAL));
    layer_call(&l);
    backward(&l, dx[0]);
    gradients(&l, grads, counts);
    for (int i = 0; i < GRADS; ++i) {
        if (grads[i]) {
            memset(grads[i], 0x01, counts[i] * sizeof(double));
        }
    }
    l.b.run.record = 0;
    backward(&l, dx[1]);
    ck_assert_mem_eq(dx[0], dx[1], sizeof dx[0]);
    for (int i = 0; i < GRADS; ++i) {
        ck_assert_msg(!grads[i] || bytes_are(grads[i], counts[i] * sizeof(double), 0x01),
                      "gradient %d", i);
    }
    pool_end(&l.b.pool);
}
END_TEST

/* A second backward doubles the gradients of parameters and overwrites those of states. */
START_TEST(test_gradients_accumulate) {
    struct layer l;
    double dx[NX];
    void *grads[GRADS];
    const double *first[GRADS];
    size_t counts[GRADS];
    layer_start(&l, types[1], VARIANTS * _i + (OUT_PROJ | COSTATES));
    layer_call(&l);
    backward(&l, dx);
    gradients(&l, grads, counts);
    for (int i = 0; i < GRADS; ++i) {
        first[i] = grads[i] ? pool_copy(&l.b.pool, grads[i], counts[i] * sizeof(double)) : NULL;
    }
    backward(&l, dx);
    for (int i = 0; i < GRADS; ++i) {
        for (size_t j = 0; j < counts[i]; ++j) {
            const double factor = i < PARAMETERS ? 2 : 1;
            assert_near("gradient", (size_t)i, ((double *)grads[i])[j], factor * first[i][j],
                        i < PARAMETERS ? 1e-12 : 0);
        }
    }
    ck_assert_double_gt(absolute_dot(D * l.kv, first[4], first[4]), 0.1);
    pool_end(&l.b.pool);
}
END_TEST

/* Xiong 2020's setting: W_Q = W_K = 0 without biases is the plain average of the visible tokens. */
START_TEST(test_no_scores_is_the_average) {
    struct layer l;
    layer_start(&l, types[1], VARIANTS * (_i / 2) + (_i & CAUSAL));
    struct lnstab__linear *const maps[] = {&l.f.w_q, &l.f.w_k};
    for (int i = 0; i < 2; ++i) {
        memset(maps[i]->weight.data, 0, D * maps[i]->out * sizeof(double));
        memset(maps[i]->bias.data, 0, maps[i]->out * sizeof(double));
    }
    l.f.weights_are_kept = 1;
    if (l.f.norm_q.bias.data) { /* the norm of 0 is its bias */
        memset(l.f.norm_q.bias.data, 0, l.f.norm_q.width * sizeof(double));
    }
    layer_call(&l);
    const double *p = l.f.weights.data;
    for (size_t i = 0; i < NP; ++i) {
        const size_t query = i / T % T, key = i % T;
        const double wanted = l.f.causal ? (key <= query ? 1.0 / (double)(query + 1) : 0) : 1.0 / T;
        assert_near("P", i, p[i], wanted, DBL_EPSILON);
    }
    pool_end(&l.b.pool);
}
END_TEST

/* A query with no key left gets 0 from the heads, and takes finite gradients back. */
START_TEST(test_fully_masked_rows) {
    static const uint8_t none[ROWS] = {1, 1, 1, 1, 0, 0, 0, 0};
    struct layer l;
    double dx[NX];
    layer_start(&l, types[1], VARIANTS * _i);
    l.b.run.keep = none;
    layer_call(&l);
    backward(&l, dx);
    for (size_t i = T * D; i < NX; ++i) {
        assert_near("O", i, ((double *)l.y)[i], 0, 0);
        assert_near("dx", i, dx[i], 0, 0);
    }
    for (size_t i = 0; i < T * D; ++i) {
        ck_assert(isfinite(dx[i]));
    }
    pool_end(&l.b.pool);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("attention");
    TCase *cases = tcase_create("attention");
    tcase_set_timeout(cases, 60);
    tcase_add_loop_test(cases, test_forward, 0, 2 * ALL);
    tcase_add_loop_test(cases, test_backward_against_differences, 0, ALL);
    tcase_add_loop_test(cases, test_adjoint, 0, ALL);
    tcase_add_loop_test(cases, test_jvp_against_differences, 0, ALL);
    tcase_add_loop_test(cases, test_costates, 0, ALL);
    tcase_add_loop_test(cases, test_costates_of_the_placed, 0, ALL);
    tcase_add_loop_test(cases, test_costates_change_nothing_else, 0, ALL);
    tcase_add_loop_test(cases, test_without_recording, 0, OPTIONS);
    tcase_add_loop_test(cases, test_gradients_accumulate, 0, OPTIONS);
    tcase_add_loop_test(cases, test_no_scores_is_the_average, 0, 2 * OPTIONS);
    tcase_add_loop_test(cases, test_fully_masked_rows, 0, OPTIONS);
    suite_add_tcase(suite, cases);
    return run_suite(suite);
}
