/* nn/ffn.h: W_2 h + b_2, h = act(W_1 x + b_1), gated or not. */

#include "nn/ffn.h"

#include "support/main.h"
#include "unit/harness.h"

enum { ROWS = 3, D = 4, H = 6, NX = ROWS * D, NH = ROWS * H, NW = D * H };

static const struct lnstab__kernels *const types[] = {&lnstab__kernels_f32, &lnstab__kernels_f64};

/* A number names an activation, and whether it is gated; bits above keep costates. */
enum { ACTIVATIONS = 4, KINDS = 2 * ACTIVATIONS, COSTATES = KINDS };

struct layer {
    struct bench b;
    struct lnstab__ffn f;
    void *x, *y, *dy;
};

static struct lnstab__state parameter(struct pool *p, const struct lnstab__kernels *k,
                                      uint32_t stream, size_t n) {
    return (struct lnstab__state){pool_draw(p, k, stream, n, 0.8), pool_array(p, k, n)};
}

static struct lnstab__state state(struct pool *p, const struct lnstab__kernels *k, int costates) {
    return (struct lnstab__state){pool_nan(p, k, NH), costates ? pool_array(p, k, NH) : NULL};
}

/* As a model lays it out: an ungated ReLU works in place, with a costate of its own. */
static void layer_start(struct layer *l, const struct lnstab__kernels *k, int number) {
    const int costates = number / KINDS, gated = number / ACTIVATIONS % 2;
    bench_start(&l->b, k, 1, ROWS, D, H, 1, 1);
    struct pool *p = &l->b.pool;
    l->f = (struct lnstab__ffn){.activation = (enum lnstab__activation)(number % ACTIVATIONS),
                                .w_1 = {D, H, parameter(p, k, 1, NW), parameter(p, k, 2, H)},
                                .w_2 = {H, D, parameter(p, k, 3, NW), parameter(p, k, 4, D)},
                                .hidden = state(p, k, costates)};
    l->f.pre = state(p, k, costates);
    if (l->f.activation == LNSTAB__RELU && !gated) {
        l->f.pre.data = l->f.hidden.data;
    }
    if (gated) {
        l->f.w_3 = (struct lnstab__linear){D, H, parameter(p, k, 7, NW), parameter(p, k, 8, H)};
        l->f.up = state(p, k, costates);
    }
    l->x = pool_draw(p, k, 5, NX, 1);
    l->y = pool_nan(p, k, NX);
    l->dy = pool_draw(p, k, 6, NX, 1);
}

static void layer_call(void *context) {
    struct layer *l = context;
    lnstab__ffn_branch.forward(&l->f, &l->b.run, l->x, l->y);
}

static void backward(struct layer *l, void *dx) {
    lnstab__ffn_branch.backward(&l->f, &l->b.run, l->x, l->dy, dx);
}

static double naive_activation(enum lnstab__activation act, double u) {
    switch (act) {
    case LNSTAB__GELU:
        return u * 0.5 * (1 + erf(u / sqrt(2)));
    case LNSTAB__GELU_TANH:
        return u * 0.5 * (1 + tanh(sqrt(2 / acos(-1.0)) * (u + 0.044715 * u * u * u)));
    case LNSTAB__SILU:
        return u / (1 + exp(-u));
    case LNSTAB__RELU:
    default:
        return fmax(u, 0);
    }
}

/* A linear map to the hidden layer of one row, in double, and the sum of its absolute parts. */
static void naive_hidden(const double *x, const double *w, const double *b, double *before,
                         double *size) {
    for (size_t j = 0; j < H; ++j) {
        before[j] = dot(D, x, w + j * D) + b[j];
        size[j] = absolute_dot(D, x, w + j * D) + fabs(b[j]);
    }
}

/* D + 2 roundings of each term below, H + 2 above: their sum for every term of the whole. No activation
 * has a slope beyond 1.13, and each is two roundings of its own; a gate below 20 scales these. */
static void check_row(struct layer *l, size_t i, const double *x, const double *hidden,
                      const double *y) {
    const struct lnstab__kernels *k = l->b.run.kernels;
    struct pool p = {.count = 0};
    const double u = unit_roundoff(k);
    const double *w_1 = pool_doubles(&p, k, l->f.w_1.weight.data, NW);
    const double *b_1 = pool_doubles(&p, k, l->f.w_1.bias.data, H);
    const double *w_2 = pool_doubles(&p, k, l->f.w_2.weight.data, NW);
    const double *b_2 = pool_doubles(&p, k, l->f.w_2.bias.data, D);
    double h[H], size[H], up[H], up_size[H];
    naive_hidden(x + i * D, w_1, b_1, h, size);
    if (l->f.w_3.weight.data) {
        naive_hidden(x + i * D, pool_doubles(&p, k, l->f.w_3.weight.data, NW),
                     pool_doubles(&p, k, l->f.w_3.bias.data, H), up, up_size);
    }
    for (size_t j = 0; j < H; ++j) {
        h[j] = naive_activation(l->f.activation, h[j]);
        if (l->f.w_3.weight.data) {
            h[j] *= up[j];
            size[j] *= 2 * up_size[j];
        }
        assert_near("hidden", i * H + j, hidden[i * H + j], h[j], (D + 4) * 1.2 * u * size[j]);
    }
    for (size_t j = 0; j < D; ++j) {
        assert_near("y", i * D + j, y[i * D + j], dot(H, h, w_2 + j * H) + b_2[j],
                    (D + H + 6) * 1.2 * u * (absolute_dot(H, size, w_2 + j * H) + fabs(b_2[j])));
    }
    pool_end(&p);
}

START_TEST(test_forward) {
    const struct lnstab__kernels *k = types[_i / KINDS];
    struct layer l;
    layer_start(&l, k, _i % KINDS);
    struct pool *p = &l.b.pool;
    layer_call(&l);
    const double *x = pool_doubles(p, k, l.x, NX), *y = pool_doubles(p, k, l.y, NX);
    const double *hidden = pool_doubles(p, k, l.f.hidden.data, NH);
    for (size_t i = 0; i < ROWS; ++i) {
        check_row(&l, i, x, hidden, y);
    }
    pool_end(p);
}
END_TEST

/* No stencil of 2^-9 times an entry (below 4) may cross a kink, and both sides of it must occur. */
static void require_distance_from_kinks(struct layer *l) {
    int positive = 0;
    for (size_t i = 0; i < ROWS; ++i) {
        double h[H], size[H];
        naive_hidden((double *)l->x + i * D, l->f.w_1.weight.data, l->f.w_1.bias.data, h, size);
        for (size_t j = 0; j < H; ++j) {
            ck_assert_double_gt(fabs(h[j]), 4 * 0x1p-9);
            positive += h[j] > 0;
        }
    }
    ck_assert(positive > 3 && positive < NH - 3);
}

START_TEST(test_backward_against_differences) {
    struct layer l;
    layer_start(&l, types[1], _i);
    require_distance_from_kinks(&l);
    const struct probe probe = {layer_call, &l, l.y, l.dy, NX};
    double *dx = pool_take(&l.b.pool, NX * sizeof *dx);
    layer_call(&l);
    backward(&l, dx);
    probe_check(&probe, "x", l.x, dx, NX);
    probe_check(&probe, "W_1", l.f.w_1.weight.data, l.f.w_1.weight.grad, NW);
    probe_check(&probe, "b_1", l.f.w_1.bias.data, l.f.w_1.bias.grad, H);
    probe_check(&probe, "W_2", l.f.w_2.weight.data, l.f.w_2.weight.grad, NW);
    probe_check(&probe, "b_2", l.f.w_2.bias.data, l.f.w_2.bias.grad, D);
    if (l.f.w_3.weight.data) {
        probe_check(&probe, "W_3", l.f.w_3.weight.data, l.f.w_3.weight.grad, NW);
        probe_check(&probe, "b_3", l.f.w_3.bias.data, l.f.w_3.bias.grad, H);
    }
    pool_end(&l.b.pool);
}
END_TEST

START_TEST(test_adjoint) {
    struct layer l;
    layer_start(&l, types[1], _i);
    layer_call(&l);
    for (uint32_t draw = 0; draw < 5; ++draw) {
        const double *v = pool_normals(&l.b.pool, 20 + draw, NX, 1);
        double *jv = pool_take(&l.b.pool, NX * sizeof *jv),
               *uj = pool_take(&l.b.pool, NX * sizeof *uj);
        lnstab__ffn_branch.jvp(&l.f, &l.b.run, v, jv);
        backward(&l, uj);
        assert_adjoint("ffn", NX, l.dy, jv, NX, uj, v);
    }
    pool_end(&l.b.pool);
}
END_TEST

/* h's costate is dL/dh: dy W_2. Those of pre and up give dW_1 = dpre^T x and dW_3 = dup^T x. None
 * changes any other result. */
START_TEST(test_costate) {
    struct layer with, without;
    double dx[2][NX];
    layer_start(&with, types[1], _i + COSTATES);
    layer_start(&without, types[1], _i);
    layer_call(&with);
    layer_call(&without);
    backward(&with, dx[0]);
    backward(&without, dx[1]);
    ck_assert_mem_eq(dx[0], dx[1], sizeof dx[0]);
    ck_assert_mem_eq(with.f.w_1.weight.grad, without.f.w_1.weight.grad, NW * sizeof(double));
    const double *w_2 = with.f.w_2.weight.data, *dh = with.f.hidden.grad, *dy = with.dy;
    for (size_t i = 0; i < NH; ++i) {
        double wanted = 0;
        for (size_t j = 0; j < D; ++j) {
            wanted += dy[i / H * D + j] * w_2[j * H + i % H];
        }
        assert_near("dh", i, dh[i], wanted, 1e-14 * 10);
    }
    const struct lnstab__linear *const maps[] = {&with.f.w_1, &with.f.w_3};
    const struct lnstab__state *const states[] = {&with.f.pre, &with.f.up};
    for (int map = 0; map < 2 && maps[map]->weight.data; ++map) {
        const double *d = states[map]->grad, *x = with.x, *dw = maps[map]->weight.grad;
        for (size_t i = 0; i < NW; ++i) {
            double wanted = 0;
            for (size_t row = 0; row < ROWS; ++row) {
                wanted += d[row * H + i / D] * x[row * D + i % D];
            }
            assert_near("dW", i, dw[i], wanted, 1e-13);
        }
    }
    pool_end(&with.b.pool);
    pool_end(&without.b.pool);
}
END_TEST

START_TEST(test_gradients_accumulate) {
    struct layer l;
    double dx[NX];
    layer_start(&l, types[1], _i);
    layer_call(&l);
    backward(&l, dx);
    const double *w_1 = pool_copy(&l.b.pool, l.f.w_1.weight.grad, NW * sizeof(double));
    const double *b_2 = pool_copy(&l.b.pool, l.f.w_2.bias.grad, D * sizeof(double));
    backward(&l, dx);
    for (size_t i = 0; i < NW; ++i) {
        assert_near("W_1", i, ((double *)l.f.w_1.weight.grad)[i], 2 * w_1[i], 1e-13);
    }
    for (size_t i = 0; i < D; ++i) {
        assert_near("b_2", i, ((double *)l.f.w_2.bias.grad)[i], 2 * b_2[i], 1e-13);
    }
    ck_assert_double_gt(absolute_dot(NW, w_1, w_1), 0.1);
    pool_end(&l.b.pool);
}
END_TEST

START_TEST(test_without_recording) {
    struct layer l;
    double dx[2][NX];
    layer_start(&l, types[1], _i + COSTATES);
    layer_call(&l);
    backward(&l, dx[0]);
    const struct lnstab__state *const states[] = {&l.f.w_1.weight, &l.f.w_1.bias,   &l.f.w_2.weight,
                                                  &l.f.w_2.bias,   &l.f.hidden,     &l.f.pre,
                                                  &l.f.up,         &l.f.w_3.weight, &l.f.w_3.bias};
    const size_t counts[] = {NW, H, NW, D, NH, NH, NH, NW, H};
    for (int i = 0; i < 9; ++i) {
        if (states[i]->grad) {
            memset(states[i]->grad, 0x01, counts[i] * sizeof(double));
        }
    }
    l.b.run.record = 0;
    backward(&l, dx[1]);
    ck_assert_mem_eq(dx[0], dx[1], sizeof dx[0]);
    for (int i = 0; i < 9; ++i) {
        ck_assert_msg(!states[i]->grad ||
                          bytes_are(states[i]->grad, counts[i] * sizeof(double), 0x01),
                      "gradient %d", i);
    }
    pool_end(&l.b.pool);
}
END_TEST

/* ReLU'(0) = 0: at entries of exactly 0 nothing comes through, gated or not. */
START_TEST(test_derivative_at_the_kink) {
    struct layer l;
    double dx[NX], jv[NX], ones[NX];
    layer_start(&l, types[1], _i * ACTIVATIONS);
    memset(l.f.w_1.weight.data, 0, NW * sizeof(double));
    memset(l.f.w_1.bias.data, 0, H * sizeof(double));
    memset(l.f.w_2.weight.grad, 0, NW * sizeof(double));
    for (int i = 0; i < NX; ++i) {
        ones[i] = 1;
    }
    layer_call(&l);
    backward(&l, dx);
    lnstab__ffn_branch.jvp(&l.f, &l.b.run, ones, jv);
    for (size_t i = 0; i < NX; ++i) {
        assert_near("dx", i, dx[i], 0, 0);
        assert_near("jv", i, jv[i], 0, 0);
    }
    ck_assert(bytes_are(l.f.w_1.bias.grad, H * sizeof(double), 0));
    pool_end(&l.b.pool);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("ffn");
    TCase *cases = tcase_create("ffn");
    tcase_add_loop_test(cases, test_forward, 0, 2 * KINDS);
    tcase_add_loop_test(cases, test_backward_against_differences, 0, 2 * KINDS);
    tcase_add_loop_test(cases, test_adjoint, 0, 2 * KINDS);
    tcase_add_loop_test(cases, test_costate, 0, KINDS);
    tcase_add_loop_test(cases, test_gradients_accumulate, 0, 2 * KINDS);
    tcase_add_loop_test(cases, test_without_recording, 0, KINDS);
    tcase_add_loop_test(cases, test_derivative_at_the_kink, 0, 2);
    suite_add_tcase(suite, cases);
    return run_suite(suite);
}
