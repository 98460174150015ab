/* nn/norm.h: one normalisation of the residual equation. */

#include "nn/norm.h"

#include "support/main.h"
#include "unit/harness.h"
#include "unit/naive_norm.h"

enum { ROWS = 5, D = 6, N = ROWS * D };

static const struct lnstab__kernels *const types[] = {&lnstab__kernels_f32, &lnstab__kernels_f64};

struct layer {
    struct bench b;
    struct lnstab__norm_op n;
    void *x, *y, *dy;
};

static void layer_start(struct layer *l, const struct lnstab__kernels *k,
                        enum lnstab__norm_kind kind, double scale) {
    bench_start(&l->b, k, 1, ROWS, D, 1, 1, 1);
    struct pool *p = &l->b.pool;
    l->n = (struct lnstab__norm_op){
        .kind = kind, .width = D, .pieces = 1, .eps = 1e-3, .scale = scale};
    if (kind != LNSTAB__NORM_NONE) {
        l->n.gamma = (struct lnstab__state){pool_draw(p, k, 1, D, 1), pool_array(p, k, D)};
    }
    if (kind == LNSTAB__NORM_LAYER) {
        l->n.bias = (struct lnstab__state){pool_draw(p, k, 2, D, 1), pool_array(p, k, D)};
    }
    l->x = pool_draw(p, k, 3, N, 1);
    l->dy = pool_draw(p, k, 4, N, 1);
    l->y = memset(pool_array(p, k, N), 0xff, N * k->size);
}

static void layer_call(void *context) {
    struct layer *l = context;
    lnstab__norm_op_forward(&l->n, &l->b.run, l->x, l->y);
}

static const enum lnstab__norm_kind kinds[] = {LNSTAB__NORM_NONE, LNSTAB__NORM_LAYER,
                                               LNSTAB__NORM_RMS};

START_TEST(test_identity_hands_through) {
    struct layer l;
    layer_start(&l, types[_i], LNSTAB__NORM_NONE, 1.0);
    ck_assert(lnstab__norm_is_identity(&l.n));
    ck_assert_ptr_eq(lnstab__norm_op_forward(&l.n, &l.b.run, l.x, l.y), l.x);
    ck_assert_ptr_eq(lnstab__norm_op_backward(&l.n, &l.b.run, l.x, l.dy, l.y), l.dy);
    ck_assert_ptr_eq(lnstab__norm_op_jvp(&l.n, &l.b.run, l.x, l.dy, l.y), l.dy);
    ck_assert(bytes_are(l.y, N * types[_i]->size, 0xff));
    l.n.scale = 0.5;
    ck_assert(!lnstab__norm_is_identity(&l.n));
    l.n = (struct lnstab__norm_op){.kind = LNSTAB__NORM_RMS, .width = D, .scale = 1};
    ck_assert(!lnstab__norm_is_identity(&l.n));
    pool_end(&l.b.pool);
}
END_TEST

/* Made in double and rounded once; entries are below 20. */
START_TEST(test_forward) {
    const struct lnstab__kernels *k = types[_i % 2];
    struct layer l;
    layer_start(&l, k, kinds[1 + _i / 2], 1.7);
    struct pool *p = &l.b.pool;
    ck_assert_ptr_eq(lnstab__norm_op_forward(&l.n, &l.b.run, l.x, l.y), l.y);
    const double *x = pool_doubles(p, k, l.x, N), *y = pool_doubles(p, k, l.y, N);
    const double *gamma = pool_doubles(p, k, l.n.gamma.data, D);
    const double *bias = l.n.bias.data ? pool_doubles(p, k, l.n.bias.data, D) : NULL;
    const struct naive_norm naive = {_i / 2, D, 1e-3, 1.7, gamma, bias};
    for (size_t i = 0; i < ROWS; ++i) {
        double wanted[D];
        naive_forward(&naive, x + i * D, wanted);
        for (size_t j = 0; j < D; ++j) {
            assert_near("y", i * D + j, y[i * D + j], wanted[j], 1e-13 + unit_roundoff(k) * 20);
        }
    }
    pool_end(p);
}
END_TEST

START_TEST(test_backward_against_differences) {
    struct layer l;
    double dx[N];
    layer_start(&l, types[1], kinds[_i], 1.3);
    const struct probe probe = {layer_call, &l, l.y, l.dy, N};
    layer_call(&l);
    ck_assert_ptr_eq(lnstab__norm_op_backward(&l.n, &l.b.run, l.x, l.dy, dx), dx);
    probe_check(&probe, "x", l.x, dx, N);
    if (l.n.gamma.data) {
        probe_check(&probe, "gamma", l.n.gamma.data, l.n.gamma.grad, D);
    }
    if (l.n.bias.data) {
        probe_check(&probe, "bias", l.n.bias.data, l.n.bias.grad, D);
    }
    pool_end(&l.b.pool);
}
END_TEST

START_TEST(test_adjoint) {
    struct layer l;
    double jv[N], uj[N];
    layer_start(&l, types[1], kinds[_i], 1.3);
    for (uint32_t draw = 0; draw < 5; ++draw) {
        const double *v = pool_normals(&l.b.pool, 20 + draw, N, 1);
        lnstab__norm_op_jvp(&l.n, &l.b.run, l.x, v, jv);
        lnstab__norm_op_backward(&l.n, &l.b.run, l.x, l.dy, uj);
        assert_adjoint("norm", N, l.dy, jv, N, uj, v);
    }
    pool_end(&l.b.pool);
}
END_TEST

START_TEST(test_recording) {
    struct layer l;
    double dx[2][N];
    layer_start(&l, types[1], LNSTAB__NORM_LAYER, 1.0);
    lnstab__norm_op_backward(&l.n, &l.b.run, l.x, l.dy, dx[0]);
    const double *gamma = pool_copy(&l.b.pool, l.n.gamma.grad, D * sizeof(double));
    const double *bias = pool_copy(&l.b.pool, l.n.bias.grad, D * sizeof(double));
    lnstab__norm_op_backward(&l.n, &l.b.run, l.x, l.dy, dx[0]);
    for (size_t i = 0; i < D; ++i) {
        assert_near("gamma twice", i, ((double *)l.n.gamma.grad)[i], 2 * gamma[i], 1e-14 * 10);
        assert_near("bias twice", i, ((double *)l.n.bias.grad)[i], 2 * bias[i], 1e-14 * 10);
        ck_assert(gamma[i] != 0 && bias[i] != 0);
    }
    memset(l.n.gamma.grad, 0x01, D * sizeof(double));
    memset(l.n.bias.grad, 0x01, D * sizeof(double));
    l.b.run.record = 0;
    lnstab__norm_op_backward(&l.n, &l.b.run, l.x, l.dy, dx[1]);
    ck_assert_mem_eq(dx[0], dx[1], sizeof dx[0]);
    ck_assert(bytes_are(l.n.gamma.grad, D * sizeof(double), 0x01));
    ck_assert(bytes_are(l.n.bias.grad, D * sizeof(double), 0x01));
    pool_end(&l.b.pool);
}
END_TEST

/* out may be dy or v. */
START_TEST(test_in_place) {
    struct layer l;
    double apart[N], over[N];
    layer_start(&l, types[1], kinds[_i], 1.3);
    lnstab__norm_op_backward(&l.n, &l.b.run, l.x, l.dy, apart);
    memcpy(over, l.dy, sizeof over);
    lnstab__norm_op_backward(&l.n, &l.b.run, l.x, over, over);
    ck_assert_mem_eq(apart, over, sizeof over);
    lnstab__norm_op_jvp(&l.n, &l.b.run, l.x, l.dy, apart);
    memcpy(over, l.dy, sizeof over);
    lnstab__norm_op_jvp(&l.n, &l.b.run, l.x, over, over);
    ck_assert_mem_eq(apart, over, sizeof over);
    pool_end(&l.b.pool);
}
END_TEST

/* A row in three pieces is three rows: of the same norm, with one gamma for all of them. */
START_TEST(test_pieces) {
    struct layer l;
    double dx[2][N], jv[2][N], y[2][N], gamma[2][D];
    layer_start(&l, types[1], kinds[_i], 1.3);
    l.n.width = D / 3;
    for (size_t pieces = 3, i = 0; i < 2; pieces = 1, ++i) {
        l.n.pieces = pieces;
        l.b.run.rows = pieces == 1 ? 3 * ROWS : ROWS;
        if (l.n.gamma.grad) {
            memset(l.n.gamma.grad, 0, D * sizeof(double));
        }
        lnstab__norm_op_forward(&l.n, &l.b.run, l.x, y[i]);
        lnstab__norm_op_backward(&l.n, &l.b.run, l.x, l.dy, dx[i]);
        lnstab__norm_op_jvp(&l.n, &l.b.run, l.x, l.dy, jv[i]);
        memcpy(gamma[i], l.n.gamma.grad ? l.n.gamma.grad : l.dy, sizeof gamma[i]);
    }
    ck_assert_mem_eq(y[0], y[1], sizeof y[0]);
    ck_assert_mem_eq(dx[0], dx[1], sizeof dx[0]);
    ck_assert_mem_eq(jv[0], jv[1], sizeof jv[0]);
    ck_assert_mem_eq(gamma[0], gamma[1], D / 3 * sizeof(double));
    ck_assert(l.n.kind == LNSTAB__NORM_NONE || (gamma[0][0] != 0 && gamma[0][D / 3] == 0));
    pool_end(&l.b.pool);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("norm");
    TCase *cases = tcase_create("norm");
    tcase_add_loop_test(cases, test_identity_hands_through, 0, 2);
    tcase_add_loop_test(cases, test_forward, 0, 4);
    tcase_add_loop_test(cases, test_backward_against_differences, 0, 3);
    tcase_add_loop_test(cases, test_adjoint, 0, 3);
    tcase_add_test(cases, test_recording);
    tcase_add_loop_test(cases, test_in_place, 0, 3);
    tcase_add_loop_test(cases, test_pieces, 0, 3);
    suite_add_tcase(suite, cases);
    return run_suite(suite);
}
