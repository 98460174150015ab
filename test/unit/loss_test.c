/* nn/loss.h: the mean over the counted tokens, and each token's own loss. */

#include "nn/loss.h"

#include "support/main.h"
#include "unit/harness.h"

enum { V = 7, ROWS = 6, N = V * ROWS };

static const struct lnstab__kernels *const types[] = {&lnstab__kernels_f32, &lnstab__kernels_f64};
static const int32_t targets[ROWS] = {6, 0, -100, 3, -100, 6}; /* the last class twice */

struct scene {
    struct bench b;
    struct lnstab__loss loss;
    void *logits, *each;
    double mean;
    int64_t counted;
};

static void scene_start(struct scene *s, const struct lnstab__kernels *k) {
    bench_start(&s->b, k, 2, 3, 1, 1, 1, V);
    s->loss = (struct lnstab__loss){V, -100, 0.0};
    s->each = memset(pool_array(&s->b.pool, k, ROWS + 1), 0x01, (ROWS + 1) * k->size);
    s->logits = pool_draw(&s->b.pool, k, 1, N, 2);
}

static void scene_call(void *context) {
    struct scene *s = context;
    s->mean = lnstab__loss_forward(&s->loss, &s->b.run, s->logits, targets, s->each, &s->counted);
}

/* Logits below 8: each e^z is of the type, wrong by (16 + 2) u. */
START_TEST(test_mean_of_the_counted) {
    const struct lnstab__kernels *k = types[_i];
    struct scene s;
    double wanted = 0;
    scene_start(&s, k);
    const double *z = pool_doubles(&s.b.pool, k, s.logits, N);
    for (size_t i = 0; i < ROWS; ++i) {
        double sum = 0;
        for (size_t j = 0; j < V; ++j) {
            sum += exp(z[i * V + j]);
        }
        wanted += targets[i] == -100 ? 0 : log(sum) - z[i * V + (size_t)targets[i]];
    }
    scene_call(&s);
    assert_near("mean", 0, s.mean, wanted / 4, 20 * unit_roundoff(k));
    ck_assert_int_eq(s.counted, 4);
    pool_end(&s.b.pool);
}
END_TEST

/* The mean is that of the parts that are counted, which are rounded to the type; those that are not
 * are 0. Losses are below 16, smoothed or not. */
START_TEST(test_each_token_has_its_own) {
    const struct lnstab__kernels *k = types[_i % 2];
    struct scene s;
    double sum = 0;
    scene_start(&s, k);
    s.loss.smoothing = _i / 2 * 0.1;
    scene_call(&s);
    const double *each = pool_doubles(&s.b.pool, k, s.each, ROWS);
    for (size_t i = 0; i < ROWS; ++i) {
        const void *row = lnstab__at(k, s.logits, i * V);
        const double own =
            targets[i] == -100 ? 0 : k->cross_entropy(V, row, (size_t)targets[i], s.loss.smoothing);
        assert_near("own", i, each[i], own, unit_roundoff(k) * own);
        sum += own;
    }
    assert_near("mean", 0, s.mean, sum / 4, 8 * DBL_EPSILON * s.mean);
    ck_assert(bytes_are(lnstab__at(k, s.each, ROWS), k->size, 0x01));
    pool_end(&s.b.pool);
}
END_TEST

START_TEST(test_gradient_against_differences) {
    static const double one = 1;
    struct scene s;
    scene_start(&s, types[1]);
    s.loss.smoothing = _i * 0.3;
    const struct probe probe = {scene_call, &s, &s.mean, &one, 1};
    double *out = memset(pool_take(&s.b.pool, N * sizeof *out), 0xff, N * sizeof *out);
    lnstab__loss_backward(&s.loss, &s.b.run, s.logits, targets, 4, out);
    probe_check(&probe, "logits", s.logits, out, N);
    for (size_t i = 0; i < ROWS; ++i) {
        double sum = 0;
        for (size_t j = 0; j < V; ++j) {
            sum += out[i * V + j];
            ck_assert(targets[i] != -100 || out[i * V + j] == 0);
        }
        assert_near("sum of a row", i, sum, 0, V * DBL_EPSILON);
    }
    pool_end(&s.b.pool);
}
END_TEST

START_TEST(test_none_counted) {
    static const int32_t none[ROWS] = {-7, -7, -7, -7, -7, -7};
    const struct lnstab__kernels *k = types[_i];
    struct scene s;
    scene_start(&s, k);
    s.loss.ignore_index = -7;
    s.counted = 99;
    s.mean = lnstab__loss_forward(&s.loss, &s.b.run, s.logits, none, s.each, &s.counted);
    ck_assert(bytes_are(s.each, ROWS * k->size, 0));
    assert_near("mean", 0, s.mean, 0, 0);
    ck_assert_int_eq(s.counted, 0);
    void *out = memset(pool_array(&s.b.pool, k, N), 0xff, N * k->size);
    lnstab__loss_backward(&s.loss, &s.b.run, s.logits, none, 0, out);
    ck_assert(bytes_are(out, N * k->size, 0));
    pool_end(&s.b.pool);
}
END_TEST

/* An ignore_index that is a class: such targets are not counted. */
START_TEST(test_ignore_index_may_be_a_class) {
    struct scene s;
    scene_start(&s, types[1]);
    static const int32_t some[ROWS] = {0, 1, 2, 3, 4, 5};
    s.loss.ignore_index = 3;
    const double mean = lnstab__loss_forward(&s.loss, &s.b.run, s.logits, some, s.each, &s.counted);
    ck_assert_int_eq(s.counted, 5);
    ck_assert_double_gt(mean, 0);
    pool_end(&s.b.pool);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("loss");
    TCase *cases = tcase_create("loss");
    tcase_add_loop_test(cases, test_mean_of_the_counted, 0, 2);
    tcase_add_loop_test(cases, test_each_token_has_its_own, 0, 4);
    tcase_add_loop_test(cases, test_gradient_against_differences, 0, 2);
    tcase_add_loop_test(cases, test_none_counted, 0, 2);
    tcase_add_test(cases, test_ignore_index_may_be_a_class);
    suite_add_tcase(suite, cases);
    return run_suite(suite);
}
