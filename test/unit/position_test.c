/* nn/position.h: a table of positions, learned or sinusoidal. */

#include "nn/position.h"

#include "support/main.h"
#include "unit/harness.h"

enum { B = 2, T = 3, D = 5, ROWS = B * T, N = ROWS * D, MOST = 7 };

static const struct lnstab__kernels *const types[] = {&lnstab__kernels_f32, &lnstab__kernels_f64};

static struct lnstab__position table(struct bench *b, const struct lnstab__kernels *k) {
    bench_start(b, k, B, T, D, 1, 1, 1);
    return (struct lnstab__position){
        D, {pool_draw(&b->pool, k, 1, MOST * D, 1), pool_draw(&b->pool, k, 2, MOST * D, 1)}};
}

/* Row t of every sequence gets row t of the table, in place. */
START_TEST(test_forward) {
    const struct lnstab__kernels *k = types[_i];
    struct bench b;
    const struct lnstab__position p = table(&b, k);
    void *x = pool_draw(&b.pool, k, 3, N, 1);
    const double *before = pool_doubles(&b.pool, k, x, N);
    const double *rows = pool_doubles(&b.pool, k, p.table.data, MOST * D);
    lnstab__position_forward(&p, &b.run, x);
    const double *after = pool_doubles(&b.pool, k, x, N);
    for (size_t i = 0; i < N; ++i) {
        const double wanted = before[i] + rows[i / D % T * D + i % D];
        assert_near("x", i, after[i], wanted, unit_roundoff(k) * fabs(wanted));
    }
    pool_end(&b.pool);
}
END_TEST

/* The gradient of a position is the sum over the sequences, on top of what is there; of those beyond the
 * batch nothing changes. Two sums of numbers below 4. */
START_TEST(test_backward) {
    const struct lnstab__kernels *k = types[_i];
    struct bench b;
    const struct lnstab__position p = table(&b, k);
    void *dx = pool_draw(&b.pool, k, 3, N, 1);
    double *wanted = pool_doubles(&b.pool, k, p.table.grad, MOST * D);
    const double *d = pool_doubles(&b.pool, k, dx, N);
    const void *old = pool_copy(&b.pool, p.table.grad, MOST * D * k->size);
    for (size_t i = 0; i < N; ++i) {
        wanted[i / D % T * D + i % D] += d[i];
    }
    lnstab__position_backward(&p, &b.run, dx);
    const double *got = pool_doubles(&b.pool, k, p.table.grad, MOST * D);
    for (size_t i = 0; i < T * D; ++i) {
        assert_near("gradient", i, got[i], wanted[i], 2 * 12 * unit_roundoff(k));
    }
    ck_assert_mem_eq(lnstab__at(k, p.table.grad, T * D), lnstab__at_const(k, old, T * D),
                     (MOST - T) * D * k->size);
    pool_end(&b.pool);
}
END_TEST

START_TEST(test_without_table_recording_or_gradients) {
    const struct lnstab__kernels *k = types[_i];
    struct bench b;
    struct lnstab__position p = table(&b, k);
    void *dx = pool_draw(&b.pool, k, 3, N, 1), *grad = p.table.grad;
    const void *before = pool_copy(&b.pool, dx, N * k->size);
    memset(grad, 0x01, MOST * D * k->size);
    b.run.record = 0;
    lnstab__position_backward(&p, &b.run, dx);
    b.run.record = 1;
    p.table.grad = NULL;
    lnstab__position_backward(&p, &b.run, dx);
    ck_assert(bytes_are(grad, MOST * D * k->size, 0x01));
    p.table.data = NULL;
    lnstab__position_forward(&p, &b.run, dx);
    ck_assert_mem_eq(before, dx, N * k->size);
    pool_end(&b.pool);
}
END_TEST

/* Vaswani et al. 2017: sin and cos of t/10000^(2i/d) in turn, an odd width ending with a sine. The angle
 * has the relative error of pow, some 2 u, which t <= 500 magnifies. */
START_TEST(test_sinusoidal) {
    enum { LONG = 501 };
    const struct lnstab__kernels *k = types[_i % 2];
    const size_t d = _i / 2 ? 8 : 5;
    struct pool pool = {.count = 0};
    void *x = pool_nan(&pool, k, LONG * d + 1);
    const struct lnstab__position p = {d, {x, NULL}};
    lnstab__position_fill_sinusoidal(&p, k, LONG);
    const double *got = pool_doubles(&pool, k, x, LONG * d);
    for (size_t i = 0; i < LONG * d; ++i) {
        const size_t t = i / d, j = i % d;
        const long double angle =
            (long double)t / powl(10000, (long double)(2 * (j / 2)) / (long double)d);
        const double wanted = (double)(j % 2 ? cosl(angle) : sinl(angle));
        assert_near("position", i, got[i], wanted,
                    unit_roundoff(k) + 4 * DBL_EPSILON * (double)angle);
    }
    for (size_t j = 0; j < d; ++j) {
        assert_near("t = 0", j, got[j], (double)(j % 2), 0);
    }
    assert_near("t = 1", 0, got[d], sin(1), unit_roundoff(k));
    assert_near("t = 1", 1, got[d + 1], cos(1), unit_roundoff(k));
    ck_assert(bytes_are(lnstab__at(k, x, LONG * d), k->size, 0xff));
    pool_end(&pool);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("position");
    TCase *cases = tcase_create("position");
    tcase_add_loop_test(cases, test_forward, 0, 2);
    tcase_add_loop_test(cases, test_backward, 0, 2);
    tcase_add_loop_test(cases, test_without_table_recording_or_gradients, 0, 2);
    tcase_add_loop_test(cases, test_sinusoidal, 0, 4);
    suite_add_tcase(suite, cases);
    return run_suite(suite);
}
