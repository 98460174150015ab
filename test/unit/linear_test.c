/* nn/linear.h: y = x W^T + b. */

#include "nn/linear.h"

#include "support/main.h"
#include "unit/harness.h"

enum { ROWS = 5, IN = 7, OUT = 4, NY = ROWS * OUT, NX = ROWS * IN, NW = IN * OUT };

static const struct lnstab__kernels *const types[] = {&lnstab__kernels_f32, &lnstab__kernels_f64};

struct layer {
    struct bench b;
    struct lnstab__linear f;
    void *x, *y, *dy;
};

static void layer_start(struct layer *l, const struct lnstab__kernels *k, int bias) {
    bench_start(&l->b, k, 1, ROWS, IN, OUT, 1, 1);
    struct pool *p = &l->b.pool;
    l->f = (struct lnstab__linear){.in = IN, .out = OUT};
    l->f.weight = (struct lnstab__state){pool_draw(p, k, 1, NW, 1), pool_array(p, k, NW)};
    if (bias) {
        l->f.bias = (struct lnstab__state){pool_draw(p, k, 2, OUT, 1), pool_array(p, k, OUT)};
    }
    l->x = pool_draw(p, k, 3, NX, 1);
    l->y = memset(pool_array(p, k, NY), 0xff, NY * k->size);
    l->dy = pool_draw(p, k, 4, NY, 1);
}

/* IN products and a bias in any order: IN + 2 roundings of each term. */
START_TEST(test_forward) {
    const struct lnstab__kernels *k = types[_i / 2];
    struct layer l;
    layer_start(&l, k, _i % 2);
    struct pool *p = &l.b.pool;
    lnstab__linear_forward(&l.f, &l.b.run, l.x, l.y);
    const double *x = pool_doubles(p, k, l.x, NX), *y = pool_doubles(p, k, l.y, NY);
    const double *w = pool_doubles(p, k, l.f.weight.data, NW);
    const double *b = _i % 2 ? pool_doubles(p, k, l.f.bias.data, OUT) : NULL;
    for (size_t i = 0; i < NY; ++i) {
        const double *row = x + i / OUT * IN, *column = w + i % OUT * IN, bias = b ? b[i % OUT] : 0;
        assert_near("y", i, y[i], dot(IN, row, column) + bias,
                    (IN + 2) * unit_roundoff(k) * (absolute_dot(IN, row, column) + fabs(bias)));
    }
    pool_end(p);
}
END_TEST

/* A jvp leaves the bias out; against the forward of a map without one. */
START_TEST(test_jvp) {
    struct layer l;
    layer_start(&l, types[1], 1);
    void *jv = pool_array(&l.b.pool, types[1], NY);
    lnstab__linear_jvp(&l.f, &l.b.run, l.x, jv);
    l.f.bias = (struct lnstab__state){NULL, NULL};
    lnstab__linear_forward(&l.f, &l.b.run, l.x, l.y);
    ck_assert_mem_eq(jv, l.y, NY * sizeof(double));
    pool_end(&l.b.pool);
}
END_TEST

static void layer_call(void *context) {
    struct layer *l = context;
    lnstab__linear_forward(&l->f, &l->b.run, l->x, l->y);
}

START_TEST(test_backward_against_differences) {
    struct layer l;
    layer_start(&l, types[1], 1);
    const struct probe probe = {layer_call, &l, l.y, l.dy, NY};
    double *dx = pool_take(&l.b.pool, NX * sizeof *dx);
    lnstab__linear_backward(&l.f, &l.b.run, l.x, l.dy, 0.0, dx);
    probe_check(&probe, "x", l.x, dx, NX);
    probe_check(&probe, "W", l.f.weight.data, l.f.weight.grad, NW);
    probe_check(&probe, "b", l.f.bias.data, l.f.bias.grad, OUT);
    pool_end(&l.b.pool);
}
END_TEST

START_TEST(test_adjoint) {
    struct layer l;
    layer_start(&l, types[1], 1);
    double *jv = pool_take(&l.b.pool, NY * sizeof *jv), *uj = pool_take(&l.b.pool, NX * sizeof *uj);
    lnstab__linear_jvp(&l.f, &l.b.run, l.x, jv);
    lnstab__linear_backward(&l.f, &l.b.run, l.x, l.dy, 0.0, uj);
    assert_adjoint("linear", NY, l.dy, jv, NX, uj, l.x);
    pool_end(&l.b.pool);
}
END_TEST

/* Gradients of parameters add up: a second backward doubles them, to the rounding of the sum. */
START_TEST(test_gradients_accumulate) {
    const struct lnstab__kernels *k = types[_i];
    struct layer l;
    layer_start(&l, k, 1);
    lnstab__linear_add_gradients(&l.f, &l.b.run, l.x, l.dy);
    const double *w = pool_doubles(&l.b.pool, k, l.f.weight.grad, NW);
    const double *b = pool_doubles(&l.b.pool, k, l.f.bias.grad, OUT);
    lnstab__linear_add_gradients(&l.f, &l.b.run, l.x, l.dy);
    const double *w_2 = pool_doubles(&l.b.pool, k, l.f.weight.grad, NW);
    const double *b_2 = pool_doubles(&l.b.pool, k, l.f.bias.grad, OUT);
    for (size_t i = 0; i < NW; ++i) { /* ROWS products of at most 3 x 3 */
        assert_near("W", i, w_2[i], 2 * w[i], 2 * ROWS * ROWS * 9 * unit_roundoff(k));
    }
    for (size_t i = 0; i < OUT; ++i) {
        assert_near("b", i, b_2[i], 2 * b[i], 2 * ROWS * ROWS * 3 * unit_roundoff(k));
    }
    ck_assert_double_gt(absolute_dot(NW, w, w), 0);
    ck_assert_double_gt(absolute_dot(OUT, b, b), 0);
    pool_end(&l.b.pool);
}
END_TEST

START_TEST(test_keep_adds_to_dx) {
    struct layer l;
    layer_start(&l, types[1], 0);
    double *dx = pool_normals(&l.b.pool, 9, NX, 1),
           *plain = pool_take(&l.b.pool, NX * sizeof *plain);
    const double *old = pool_copy(&l.b.pool, dx, NX * sizeof *dx);
    memset(plain, 0xff, NX * sizeof *plain); /* keep 0 must not read it */
    lnstab__linear_backward(&l.f, &l.b.run, l.x, l.dy, 0.0, plain);
    lnstab__linear_backward(&l.f, &l.b.run, l.x, l.dy, 1.0, dx);
    for (size_t i = 0; i < NX; ++i) {
        assert_near("dx", i, dx[i], old[i] + plain[i], 1e-14 * (fabs(old[i]) + 10));
    }
    pool_end(&l.b.pool);
}
END_TEST

/* Without recording the same dx, and no gradient touched. */
START_TEST(test_without_recording) {
    struct layer l;
    layer_start(&l, types[1], 1);
    double *dx = pool_take(&l.b.pool, NX * sizeof *dx),
           *other = pool_take(&l.b.pool, NX * sizeof *dx);
    lnstab__linear_backward(&l.f, &l.b.run, l.x, l.dy, 0.0, dx);
    memset(l.f.weight.grad, 0x01, NW * sizeof *dx);
    memset(l.f.bias.grad, 0x01, OUT * sizeof *dx);
    l.b.run.record = 0;
    lnstab__linear_backward(&l.f, &l.b.run, l.x, l.dy, 0.0, other);
    ck_assert_mem_eq(dx, other, NX * sizeof *dx);
    ck_assert(bytes_are(l.f.weight.grad, NW * sizeof *dx, 0x01));
    ck_assert(bytes_are(l.f.bias.grad, OUT * sizeof *dx, 0x01));
    pool_end(&l.b.pool);
}
END_TEST

/* With gradients=0 there is nowhere to record. */
START_TEST(test_without_gradients) {
    struct layer l;
    layer_start(&l, types[1], 1);
    double *dx = pool_take(&l.b.pool, NX * sizeof *dx),
           *other = pool_take(&l.b.pool, NX * sizeof *dx);
    lnstab__linear_backward(&l.f, &l.b.run, l.x, l.dy, 0.0, dx);
    l.f.weight.grad = l.f.bias.grad = NULL;
    lnstab__linear_backward(&l.f, &l.b.run, l.x, l.dy, 0.0, other);
    ck_assert_mem_eq(dx, other, NX * sizeof *dx);
    pool_end(&l.b.pool);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("linear");
    TCase *cases = tcase_create("linear");
    tcase_add_loop_test(cases, test_forward, 0, 4);
    tcase_add_test(cases, test_jvp);
    tcase_add_test(cases, test_backward_against_differences);
    tcase_add_test(cases, test_adjoint);
    tcase_add_loop_test(cases, test_gradients_accumulate, 0, 2);
    tcase_add_test(cases, test_keep_adds_to_dx);
    tcase_add_test(cases, test_without_recording);
    tcase_add_test(cases, test_without_gradients);
    suite_add_tcase(suite, cases);
    return run_suite(suite);
}
