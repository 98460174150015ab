/* analysis/scene.c: what has to be there, the stream's places, and sums over rows of any array. */

#include "analysis/scene.h"

#include "support/main.h"
#include "unit/measure_fixture.h"

enum { B = 2, T = 3, D = MEASURE_D, ROWS = B * T };

static const char *const types[] = {"dtype=float64", "dtype=float32"};

/* A model of that type after a forward of B x T, and rows of its type: *x, and the same in double. */
static lnstab_model *scene_model(int type, struct pool *p, void **x, double **wide) {
    lnstab_model *m = measure_model(types[type]);
    measure_forward(m, B, T);
    *x = pool_draw(p, m->kernels, 9, ROWS * MEASURE_H, 1);
    *wide = pool_doubles(p, m->kernels, *x, ROWS * MEASURE_H);
    return m;
}

START_TEST(test_sums_over_rows) {
    struct pool p = {{0}, 0};
    void *x;
    double *wide;
    lnstab_model *m = scene_model(_i, &p, &x, &wide);
    const struct lnstab__scene s = lnstab__scene_of(m);
    static const size_t widths[] = {D, MEASURE_H};
    for (int w = 0; w < 2; ++w) {
        const size_t n = widths[w];
        double total = 0, most = 0, pairs = 0;
        for (size_t i = 0; i < ROWS; ++i) {
            const double *a = wide + i * n, square = dot(n, a, a);
            total += square;
            most = fmax(most, square);
            assert_near("norm", i, lnstab__scene_norm(&s, x, n, i), sqrt(square), 1e-13);
            assert_near("square", i, lnstab__scene_square(&s, x, n, i), square, 1e-13 * square);
            for (size_t j = 0; j < ROWS; ++j) {
                const double product = dot(n, a, wide + j * n);
                pairs += i != j && i / T == j / T ? product / (ROWS * (T - 1)) : 0;
                assert_near("dot", i, lnstab__scene_dot(&s, x, n, i, j), product, 1e-13);
            }
        }
        assert_near("total", n, lnstab__scene_total(&s, x, n), total, 1e-13 * total);
        assert_near("largest", n, lnstab__scene_largest(&s, x, n), sqrt(most), 1e-13);
        assert_near("cosine", n, lnstab__scene_cosine(&s, x, n), pairs / (total / ROWS), 1e-13);
        assert_near("frobenius", n, lnstab__scene_frobenius(&s, x, 4, n),
                    sqrt(dot(4 * n, wide, wide)), 1e-13);
    }
    lnstab_model_destroy(m);
    pool_end(&p);
}
END_TEST

START_TEST(test_share_above) {
    struct pool p = {{0}, 0};
    void *x;
    double *wide;
    lnstab_model *m = scene_model(_i, &p, &x, &wide);
    const struct lnstab__scene s = lnstab__scene_of(m);
    for (size_t i = 0; i < ROWS; ++i) {
        const double limit = lnstab__scene_square(&s, x, D, i);
        double above = 0;
        for (size_t j = 0; j < ROWS; ++j) {
            above += dot(D, wide + j * D, wide + j * D) > limit * (1 + 1e-14);
        }
        assert_near("share", i, lnstab__scene_share_above(&s, x, limit), above / ROWS, 0);
    }
    lnstab_model_destroy(m);
    pool_end(&p);
}
END_TEST

/* Squares that a double cannot hold. */
START_TEST(test_norms_of_any_size) {
    lnstab_model *m = measure_model("dtype=float64");
    measure_forward(m, B, T);
    const struct lnstab__scene s = lnstab__scene_of(m);
    static const double units[] = {0x1p700, 0x1p-700};
    for (int u = 0; u < 2; ++u) {
        double x[ROWS * D] = {0};
        x[0] = 3 * units[u];
        x[1] = 4 * units[u];
        x[D] = 12 * units[u];
        ck_assert_double_eq(lnstab__scene_norm(&s, x, D, 0), 5 * units[u]);
        ck_assert_double_eq(lnstab__scene_largest(&s, x, D), 12 * units[u]);
        ck_assert_double_eq(lnstab__scene_frobenius(&s, x, 2, D), 13 * units[u]);
    }
    lnstab_model_destroy(m);
}
END_TEST

/* Wherever it stands, it is not lost in a comparison. */
START_TEST(test_nan) {
    struct pool p = {{0}, 0};
    void *x;
    double *wide;
    lnstab_model *m = scene_model(_i, &p, &x, &wide);
    const struct lnstab__scene s = lnstab__scene_of(m);
    for (size_t i = 0; i < ROWS; ++i) {
        const double nan_now = NAN, before = wide[i * D];
        s.kernels->from_double(1, &nan_now, lnstab__at(s.kernels, x, i * D));
        ck_assert_double_nan(lnstab__scene_total(&s, x, D));
        ck_assert_double_nan(lnstab__scene_largest(&s, x, D));
        ck_assert_double_nan(lnstab__scene_cosine(&s, x, D));
        ck_assert_double_nan(lnstab__scene_share_above(&s, x, 1));
        s.kernels->from_double(1, &before, lnstab__at(s.kernels, x, i * D));
    }
    ck_assert(isfinite(lnstab__scene_total(&s, x, D)));
    ck_assert_double_nan(lnstab__larger(NAN, 1));
    ck_assert_double_nan(lnstab__larger(1, NAN));
    ck_assert_double_eq(lnstab__larger(1, 2), 2);
    ck_assert_double_eq(lnstab__larger(2, 1), 2);
    lnstab_model_destroy(m);
    pool_end(&p);
}
END_TEST

START_TEST(test_places) {
    lnstab_model *m = measure_model("placement=post final_norm=1");
    measure_forward(m, B, T);
    const struct lnstab__scene s = lnstab__scene_of(m);
    for (int k = 0; k <= 2 * MEASURE_L + 1; ++k) {
        ck_assert_ptr_eq(lnstab__scene_stream(&s, k)->data, data_of(m, stream_name(k)));
        ck_assert_ptr_eq(lnstab__scene_stream(&s, k)->grad, grad_of(m, stream_name(k)));
    }
    for (int k = 1; k <= 2 * MEASURE_L; ++k) {
        ck_assert_ptr_eq(lnstab__scene_sublayer(&s, k)->sum.data, state_of(m, k, "sum"));
    }
    ck_assert_int_eq((int)s.rows, B * T);
    ck_assert_int_eq((int)s.width, D);
    lnstab_model_destroy(m);
}
END_TEST

static void misses(lnstab_model *m, const char *needs, const char *wanted) {
    const struct lnstab__scene s = lnstab__scene_of(m);
    const char *told = lnstab__scene_misses(&s, needs);
    ck_assert_msg(told && wanted ? strcmp(told, wanted) == 0 : told == wanted, "%s: '%s', not '%s'",
                  needs, told ? told : "", wanted ? wanted : "");
}

START_TEST(test_what_is_missing) {
    static const char *const no_backward =
        "a backward, and there has been none since the last forward";
    lnstab_model *m = measure_model("placement=pre");
    double dout[T * D] = {1};
    misses(m, LNSTAB__STATES, "a forward, and there has been none since the weights were set");
    measure_forward(m, B, T);
    misses(m, LNSTAB__STATES, NULL);
    misses(m, LNSTAB__PAIRED_SAMPLES, NULL);
    misses(m, LNSTAB__COSTATES, no_backward);
    measure_backward(m, 2);
    misses(m, LNSTAB__LOSS, "a loss that counted every token");
    misses(m, LNSTAB__LOSS_OF_ONE_SEQUENCE, "one sequence: a batch of 1");
    measure_backward(m, B * T);
    misses(m, LNSTAB__LOSS, NULL);
    misses(m, LNSTAB__COSTATES_OF_ONE_SEQUENCE, "one sequence: a batch of 1");
    measure_forward(m, 1, T);
    misses(m, LNSTAB__COSTATES, no_backward);
    misses(m, LNSTAB__PAIRED_SAMPLES, "an even batch: its halves are samples of two distributions");
    measure_backward(m, 2);
    misses(m, LNSTAB__LOSS_OF_ONE_SEQUENCE, NULL);
    misses(m, LNSTAB__LOSS_OF_ALL_TOKENS, "a loss that counted every token");
    misses(m, LNSTAB__LOSS_OF_ONE_TOKEN, "a loss that counted one token");
    measure_backward(m, 1);
    misses(m, LNSTAB__LOSS_OF_ONE_TOKEN, NULL);
    ck_good(lnstab_model_message(m), lnstab_model_backward(m, dout));
    misses(m, LNSTAB__LOSS, "the backward of a loss: dout was given");
    misses(m, LNSTAB__COSTATES_OF_ONE_SEQUENCE, NULL);
    lnstab_model_destroy(m);
    m = measure_model("placement=pre gradients_of=w_2");
    measure_forward(m, 1, T);
    measure_backward(m, 1);
    misses(m, LNSTAB__COSTATES, "gradients of all parameters: set gradients_of=all");
    lnstab_model_destroy(m);
    m = measure_model("placement=pre gradients_from=1");
    measure_forward(m, 1, T);
    measure_backward(m, 1);
    misses(m, LNSTAB__COSTATES, "gradients of all layers: set gradients_from=0");
    ck_good(lnstab_model_message(m),
            lnstab_model_forward_from(m, "layer.1.attn.in", 1, T, dout, NULL));
    misses(m, LNSTAB__STATES, "a forward of the whole, and the last one went on from a state");
    lnstab_model_destroy(m);
}
END_TEST

/* One that is masked; a keep of ones masks nobody. */
START_TEST(test_masked_tokens) {
    uint8_t keep[T] = {1, 1, 1};
    double x[T * D] = {1, 2, 3};
    lnstab_model *m = measure_model("placement=pre");
    ck_good(lnstab_model_message(m), lnstab_model_forward_embedded(m, 1, T, x, keep));
    misses(m, LNSTAB__STATES_OF_ALL_TOKENS, NULL);
    keep[T - 1] = 0;
    ck_good(lnstab_model_message(m), lnstab_model_forward_embedded(m, 1, T, x, keep));
    misses(m, LNSTAB__STATES_OF_ALL_TOKENS, "every token: keep has a 0");
    measure_backward(m, 1);
    misses(m, LNSTAB__LOSS_OF_ONE_TOKEN, "every token: keep has a 0");
    misses(m, LNSTAB__COSTATES_UNMASKED, "every token: keep has a 0");
    misses(m, LNSTAB__COSTATES, NULL);
    lnstab_model_destroy(m);
}
END_TEST

/* Any norm of the model, any entry of it. */
START_TEST(test_norms_that_are_not_plain) {
    static const char *const names[] = {"norm_embed.bias", "layer.1.ffn.norm_in.gamma",
                                        "layer.2.attn.norm_out.bias", "layer.1.attn.norm_res.gamma",
                                        "norm_final.gamma"};
    lnstab_model *m = measure_model("placement=custom norm_in=1 norm_out=1 norm_res=1 embed_norm=1 "
                                    "final_norm=1");
    lnstab__model_init(m, 5);
    measure_forward(m, 1, T);
    misses(m, LNSTAB__STATES_OF_PLAIN_NORMS, NULL);
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
        double *last = (double *)lnstab_tensor_data(lnstab_model_tensor(m, names[i])) + D - 1;
        const double before = *last;
        *last += 0x1p-40;
        misses(m, LNSTAB__STATES_OF_PLAIN_NORMS,
               "norms with gamma 1 and bias 0: forward.norm is for others");
        *last = before;
    }
    misses(m, LNSTAB__STATES_OF_PLAIN_NORMS, NULL);
    lnstab_model_destroy(m);
}
END_TEST

START_TEST(test_keys_that_are_missing) {
    static const struct {
        const char *words, *needs, *said;
    } rows[] = {{"keep_states=0", LNSTAB__STATES, "every state: set keep_states=1"},
                {"keep_states=1", LNSTAB__STATES, NULL},
                {"keep_states=1", LNSTAB__COSTATES, "costates: set keep_states=2"},
                {"keep_states=0", LNSTAB__COSTATES, "every state: set keep_states=1"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        lnstab_model *m = measure_model(rows[i].words);
        measure_forward(m, 1, T);
        measure_backward(m, 1);
        misses(m, rows[i].needs, rows[i].said);
        lnstab_model_destroy(m);
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("scene");
    TCase *cases = tcase_create("scene");
    tcase_add_loop_test(cases, test_sums_over_rows, 0, 2);
    tcase_add_loop_test(cases, test_share_above, 0, 2);
    tcase_add_loop_test(cases, test_nan, 0, 2);
    tcase_add_test(cases, test_norms_of_any_size);
    tcase_add_test(cases, test_places);
    tcase_add_test(cases, test_what_is_missing);
    tcase_add_test(cases, test_masked_tokens);
    tcase_add_test(cases, test_norms_that_are_not_plain);
    tcase_add_test(cases, test_keys_that_are_missing);
    suite_add_tcase(suite, cases);
    return run_suite(suite);
}
