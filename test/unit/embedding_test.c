/* nn/embedding.h: a table that is read by token, its rows times a factor. */

#include "nn/embedding.h"

#include "support/main.h"
#include "unit/harness.h"

enum { V = 5, D = 3, ROWS = 6 };

static const struct lnstab__kernels *const types[] = {&lnstab__kernels_f32, &lnstab__kernels_f64};
static const int32_t tokens[ROWS] = {4, 1, 1, 0, 4, 1}; /* 1 three times, 2 and 3 never */

static struct lnstab__embedding table(struct bench *b, const struct lnstab__kernels *k) {
    bench_start(b, k, 2, 3, D, 1, 1, V);
    return (struct lnstab__embedding){
        D, 1.0, {pool_draw(&b->pool, k, 1, V * D, 1), pool_draw(&b->pool, k, 2, V * D, 1)}};
}

START_TEST(test_rows_are_copied) {
    const struct lnstab__kernels *k = types[_i];
    struct bench b;
    const struct lnstab__embedding e = table(&b, k);
    void *x = pool_array(&b.pool, k, ROWS * D + 1);
    lnstab__embedding_forward(&e, &b.run, tokens, x);
    for (size_t i = 0; i < ROWS; ++i) {
        ck_assert_mem_eq(lnstab__at(k, x, i * D),
                         lnstab__at(k, e.table.data, (size_t)tokens[i] * D), D * k->size);
    }
    ck_assert(bytes_are(lnstab__at(k, x, ROWS * D), k->size, 0));
    pool_end(&b.pool);
}
END_TEST

/* Rows of a token that comes more than once add up, on top of what is there: at most three sums of
 * numbers below 4. */
START_TEST(test_repeated_tokens_add_up) {
    const struct lnstab__kernels *k = types[_i];
    struct bench b;
    const struct lnstab__embedding e = table(&b, k);
    void *dx = pool_draw(&b.pool, k, 3, ROWS * D, 1);
    double *wanted = pool_doubles(&b.pool, k, e.table.grad, V * D);
    const double *d = pool_doubles(&b.pool, k, dx, ROWS * D);
    for (size_t i = 0; i < ROWS * D; ++i) {
        wanted[(size_t)tokens[i / D] * D + i % D] += d[i];
    }
    const void *old = pool_copy(&b.pool, e.table.grad, V * D * k->size);
    lnstab__embedding_backward(&e, &b.run, tokens, dx);
    const double *got = pool_doubles(&b.pool, k, e.table.grad, V * D);
    for (size_t i = 0; i < V * D; ++i) {
        assert_near("gradient", i, got[i], wanted[i], 3 * 16 * unit_roundoff(k));
    }
    ck_assert_mem_eq(lnstab__at(k, e.table.grad, 2 * D), lnstab__at_const(k, old, 2 * D),
                     2 * D * k->size);
    pool_end(&b.pool);
}
END_TEST

/* A factor of 3 takes one rounding forward, and back one more than the sums, of numbers below 16. */
START_TEST(test_scale) {
    const struct lnstab__kernels *k = types[_i];
    struct bench b;
    struct lnstab__embedding e = table(&b, k);
    void *x = pool_array(&b.pool, k, ROWS * D), *dx = pool_draw(&b.pool, k, 3, ROWS * D, 1);
    double *wanted = pool_doubles(&b.pool, k, e.table.grad, V * D);
    const double *w = pool_doubles(&b.pool, k, e.table.data, V * D);
    const double *d = pool_doubles(&b.pool, k, dx, ROWS * D);
    e.scale = 3.0;
    lnstab__embedding_forward(&e, &b.run, tokens, x);
    const double *got_x = pool_doubles(&b.pool, k, x, ROWS * D);
    for (size_t i = 0; i < ROWS * D; ++i) {
        const size_t from = (size_t)tokens[i / D] * D + i % D;
        assert_near("x", i, got_x[i], 3 * w[from], 3 * unit_roundoff(k) * fabs(w[from]));
        wanted[from] += 3 * d[i];
    }
    lnstab__embedding_backward(&e, &b.run, tokens, dx);
    const double *got = pool_doubles(&b.pool, k, e.table.grad, V * D);
    for (size_t i = 0; i < V * D; ++i) {
        assert_near("gradient", i, got[i], wanted[i], 6 * 16 * unit_roundoff(k));
    }
    pool_end(&b.pool);
}
END_TEST

START_TEST(test_without_recording_or_gradients) {
    const struct lnstab__kernels *k = types[_i];
    struct bench b;
    struct lnstab__embedding e = table(&b, k);
    void *dx = pool_draw(&b.pool, k, 3, ROWS * D, 1), *grad = e.table.grad;
    memset(grad, 0x01, V * D * k->size);
    b.run.record = 0;
    lnstab__embedding_backward(&e, &b.run, tokens, dx);
    b.run.record = 1;
    e.table.grad = NULL;
    lnstab__embedding_backward(&e, &b.run, tokens, dx);
    ck_assert(bytes_are(grad, V * D * k->size, 0x01));
    pool_end(&b.pool);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("embedding");
    TCase *cases = tcase_create("embedding");
    tcase_add_loop_test(cases, test_rows_are_copied, 0, 2);
    tcase_add_loop_test(cases, test_repeated_tokens_add_up, 0, 2);
    tcase_add_loop_test(cases, test_scale, 0, 2);
    tcase_add_loop_test(cases, test_without_recording_or_gradients, 0, 2);
    suite_add_tcase(suite, cases);
    return run_suite(suite);
}
