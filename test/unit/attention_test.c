/* nn/attention.h: softmax attention of several heads. */

#include "nn/attention.h"

#include "support/main.h"
#include "unit/harness.h"

enum { B = 2, T = 4, HEADS = 2, HD = 3, D = HEADS * HD, ROWS = B * T, NX = ROWS * D, NW = D * D };
enum { NP = B * HEADS * T * T };

/* The variants, as bits of a loop test's number. */
enum { CAUSAL = 1, MASKED = 2, OUT_PROJ = 4, COSTATES = 8, VARIANTS = 16 };

static const struct lnstab__kernels *const types[] = {&lnstab__kernels_f32, &lnstab__kernels_f64};

/* The first sequence has one key left, the second none at all where causal hides the last. */
static const uint8_t keep[ROWS] = {0, 1, 0, 1, 0, 0, 0, 1};

struct layer {
    struct bench b;
    struct lnstab__attention f;
    void *x, *y, *dy;
};

static struct lnstab__linear linear(struct pool *p, const struct lnstab__kernels *k,
                                    uint32_t stream) {
    return (struct lnstab__linear){D,
                                   D,
                                   {pool_draw(p, k, stream, NW, 0.5), pool_array(p, k, NW)},
                                   {pool_draw(p, k, stream + 1, D, 0.5), pool_array(p, k, D)}};
}

static struct lnstab__state state(struct pool *p, const struct lnstab__kernels *k, size_t n,
                                  int variant) {
    return (struct lnstab__state){memset(pool_array(p, k, n), 0xff, n * k->size),
                                  variant & COSTATES ? pool_array(p, k, n) : NULL};
}

static void layer_start(struct layer *l, const struct lnstab__kernels *k, int variant) {
    bench_start(&l->b, k, B, T, D, 1, HEADS, 1);
    struct pool *p = &l->b.pool;
    l->b.run.keep = variant & MASKED ? keep : NULL;
    l->f = (struct lnstab__attention){.heads = HEADS,
                                      .head_dim = HD,
                                      .causal = variant & CAUSAL,
                                      .w_q = linear(p, k, 1),
                                      .w_k = linear(p, k, 3),
                                      .w_v = linear(p, k, 5),
                                      .q = state(p, k, NX, variant),
                                      .k = state(p, k, NX, variant),
                                      .v = state(p, k, NX, variant),
                                      .weights = state(p, k, NP, variant)};
    l->x = pool_draw(p, k, 9, NX, 1);
    l->y = memset(pool_array(p, k, NX), 0xff, NX * k->size);
    l->dy = pool_draw(p, k, 10, NX, 1);
    if (variant & OUT_PROJ) {
        l->f.w_o = linear(p, k, 7);
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
    const double *w = pool_doubles(p, k, f->weight.data, NW),
                 *b = pool_doubles(p, k, f->bias.data, D);
    for (size_t i = 0; i < NX; ++i) {
        y[i] = dot(D, x + i / D * D, w + i % D * D) + b[i % D];
    }
}

/* P of one query: T weights */
static void naive_weights(const struct lnstab__attention *f, const uint8_t *kept, size_t batch,
                          size_t head, size_t query, const double *q, const double *key,
                          double *p) {
    double sum = 0;
    for (size_t j = 0; j < T; ++j) {
        const size_t a = (batch * T + query) * D + head * HD, b = (batch * T + j) * D + head * HD;
        const int seen = (!f->causal || j <= query) && (!kept || kept[batch * T + j]);
        p[j] = seen ? exp(dot(HD, q + a, key + b) / sqrt((double)HD)) : 0;
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
        naive_weights(&l->f, l->b.run.keep, batch, head, query, q, key, p);
        for (size_t c = 0; c < HD; ++c) {
            double sum = 0;
            for (size_t j = 0; j < T; ++j) {
                sum += p[j] * v[(batch * T + j) * D + head * HD + c];
            }
            o[(batch * T + query) * D + head * HD + c] = sum;
        }
    }
}

/* All entries are of order 1 (below 20), and a result is some D products of products deep: 1000 u. */
START_TEST(test_forward) {
    const struct lnstab__kernels *k = types[_i / VARIANTS];
    struct layer l;
    double q[NX], key[NX], v[NX], weights[NP], o[NX], y[NX];
    layer_start(&l, k, _i % VARIANTS);
    struct pool *p = &l.b.pool;
    layer_call(&l);
    const double *x = pool_doubles(p, k, l.x, NX);
    naive_linear(p, k, &l.f.w_q, x, q);
    naive_linear(p, k, &l.f.w_k, x, key);
    naive_linear(p, k, &l.f.w_v, x, v);
    naive_heads(&l, q, key, v, weights, o);
    memcpy(y, o, sizeof y);
    if (_i & OUT_PROJ) {
        naive_linear(p, k, &l.f.w_o, o, y);
    }
    const double *got_p = pool_doubles(p, k, l.f.weights.data, NP);
    const double *got_o = pool_doubles(p, k, l.f.output.data, NX),
                 *got_y = pool_doubles(p, k, l.y, NX);
    for (size_t i = 0; i < NP; ++i) {
        assert_near("P", i, got_p[i], weights[i], weights[i] == 0 ? 0 : 1000 * unit_roundoff(k));
    }
    for (size_t i = 0; i < NX; ++i) {
        assert_near("O", i, got_o[i], o[i], 1000 * unit_roundoff(k));
        assert_near("y", i, got_y[i], y[i], 1000 * unit_roundoff(k));
    }
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
        probe_check(&probe, names[i], maps[i]->weight.data, maps[i]->weight.grad, NW);
        probe_check(&probe, names[i], maps[i]->bias.data, maps[i]->bias.grad, D);
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
        for (size_t i = 0; i < NW; ++i) {
            double sum = 0;
            for (size_t row = 0; row < ROWS; ++row) {
                sum += d[row * D + i / D] * x[row * D + i % D];
            }
            assert_near("dW", i, dw[i], sum, 1e-13);
        }
    }
    const double *d_o = l.f.w_o.weight.data ? l.f.output.grad : l.dy, *v = l.f.v.data,
                 *dp = l.f.weights.grad;
    for (size_t i = 0; i < NP; ++i) {
        const size_t batch = i / (HEADS * T * T), head = i / (T * T) % HEADS;
        const size_t a = (batch * T + i / T % T) * D + head * HD,
                     b = (batch * T + i % T) * D + head * HD;
        assert_near("dP", i, dp[i], dot(HD, d_o + a, v + b), 1e-13);
    }
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
    ck_assert_mem_eq(with.f.w_v.bias.grad, without.f.w_v.bias.grad, D * sizeof(double));
    pool_end(&with.b.pool);
    pool_end(&without.b.pool);
}
END_TEST

static int gradients(const struct layer *l, void **grads, size_t *counts) {
    const struct lnstab__linear *const maps[] = {&l->f.w_q, &l->f.w_k, &l->f.w_v, &l->f.w_o};
    const struct lnstab__state *const states[] = {&l->f.q, &l->f.k, &l->f.v, &l->f.weights,
                                                  &l->f.output};
    int n = 0;
    for (int i = 0; i < 4; ++i) {
        grads[n] = maps[i]->weight.grad;
        counts[n++] = NW;
        grads[n] = maps[i]->bias.grad;
        counts[n++] = D;
    }
    for (int i = 0; i < 5; ++i) {
        grads[n] = states[i]->grad;
        counts[n++] = i == 3 ? NP : NX;
    }
    return n;
}

START_TEST(test_without_recording) {
    struct layer l;
    double dx[2][NX];
    void *grads[13];
    size_t counts[13];
    layer_start(&l, types[1], OUT_PROJ | COSTATES | CAUSAL);
    layer_call(&l);
    backward(&l, dx[0]);
    const int n = gradients(&l, grads, counts);
    for (int i = 0; i < n; ++i) {
        memset(grads[i], 0x01, counts[i] * sizeof(double));
    }
    l.b.run.record = 0;
    backward(&l, dx[1]);
    ck_assert_mem_eq(dx[0], dx[1], sizeof dx[0]);
    for (int i = 0; i < n; ++i) {
        ck_assert_msg(bytes_are(grads[i], counts[i] * sizeof(double), 0x01), "gradient %d", i);
    }
    pool_end(&l.b.pool);
}
END_TEST

/* A second backward doubles the gradients of parameters and overwrites those of states. */
START_TEST(test_gradients_accumulate) {
    struct layer l;
    double dx[NX];
    void *grads[13];
    const double *first[13];
    size_t counts[13];
    layer_start(&l, types[1], OUT_PROJ | COSTATES);
    layer_call(&l);
    backward(&l, dx);
    const int n = gradients(&l, grads, counts);
    for (int i = 0; i < n; ++i) {
        first[i] = pool_copy(&l.b.pool, grads[i], counts[i] * sizeof(double));
    }
    backward(&l, dx);
    for (int i = 0; i < n; ++i) {
        for (size_t j = 0; j < counts[i]; ++j) {
            const double factor = i < 8 ? 2 : 1;
            assert_near("gradient", (size_t)i, ((double *)grads[i])[j], factor * first[i][j],
                        i < 8 ? 1e-13 : 0);
        }
    }
    ck_assert_double_gt(absolute_dot(NW, first[4], first[4]), 0.1);
    pool_end(&l.b.pool);
}
END_TEST

/* Xiong 2020's setting: W_Q = W_K = 0 without biases is the plain average of the visible tokens. */
START_TEST(test_no_scores_is_the_average) {
    struct layer l;
    layer_start(&l, types[1], _i & CAUSAL);
    struct lnstab__linear *const maps[] = {&l.f.w_q, &l.f.w_k};
    for (int i = 0; i < 2; ++i) {
        memset(maps[i]->weight.data, 0, NW * sizeof(double));
        memset(maps[i]->bias.data, 0, D * sizeof(double));
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
    layer_start(&l, types[1], 0);
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
    tcase_add_loop_test(cases, test_forward, 0, 2 * VARIANTS);
    tcase_add_loop_test(cases, test_backward_against_differences, 0, VARIANTS);
    tcase_add_loop_test(cases, test_adjoint, 0, VARIANTS);
    tcase_add_loop_test(cases, test_jvp_against_differences, 0, COSTATES);
    tcase_add_loop_test(cases, test_costates, 0, COSTATES);
    tcase_add_loop_test(cases, test_costates_change_nothing_else, 0, COSTATES);
    tcase_add_test(cases, test_without_recording);
    tcase_add_test(cases, test_gradients_accumulate);
    tcase_add_loop_test(cases, test_no_scores_is_the_average, 0, 2);
    tcase_add_test(cases, test_fully_masked_rows);
    suite_add_tcase(suite, cases);
    return run_suite(suite);
}
