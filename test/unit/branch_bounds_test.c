/* analysis/branch_bounds.h: what weights bound, from norms of theirs. */

#include "analysis/branch_bounds.h"

#include "analysis/attention_bounds.h"
#include "analysis/attention_offsets.h"
#include "support/dense.h"
#include "support/main.h"
#include "unit/bounds_bench.h"

/* The largest slope on a grid of 1e-4 is below the constant by at most its curvature, some 1e-8. */
START_TEST(test_slopes) {
    static const enum lnstab__activation all[] = {LNSTAB__RELU, LNSTAB__GELU, LNSTAB__GELU_TANH,
                                                  LNSTAB__SILU};
    for (int i = 0; i < 4; ++i) {
        double most = 0;
        for (double u = -10; u < 10; u += 1e-4) {
            const double one = 1;
            double slope;
            lnstab__kernels_f64.activate_jvp(all[i], 1, &u, NULL, &one, NULL, &slope);
            most = fmax(most, fabs(slope));
        }
        ck_assert_double_ge(lnstab__activation_slope(all[i]), most);
        ck_assert_double_le(lnstab__activation_slope(all[i]), most + 1e-8);
    }
    const double u = sqrt(2), one = 1;
    double slope;
    lnstab__kernels_f64.activate_jvp(LNSTAB__GELU, 1, &u, NULL, &one, NULL, &slope);
    ck_assert_double_le(slope, lnstab__activation_slope(LNSTAB__GELU));
    ck_assert_double_eq_tol(slope, lnstab__activation_slope(LNSTAB__GELU), 1e-14);
}
END_TEST

static double matrix_norm(const struct lnstab__linear *w) {
    double sigma[8];
    dense_singular_values(w->out, w->in, w->weight.data, sigma);
    return sigma[0];
}

static double norm_of(const struct lnstab__linear *w) {
    const double *b = w->bias.data;
    return b ? sqrt(dot(w->out, b, b)) : 0;
}

START_TEST(test_ffn) {
    lnstab_model *m = bounds_model("krylov=4 activation=silu");
    const struct lnstab__scene s = lnstab__scene_of(m);
    const struct lnstab__sublayer *at = &m->sublayers[1];
    const struct lnstab__ffn *f = &at->of.ffn;
    const double w_1 = matrix_norm(&f->w_1), w_2 = matrix_norm(&f->w_2);
    const double slope = lnstab__activation_slope(LNSTAB__SILU);
    const struct lnstab__branch_bounds b = lnstab__branch_bounds_of(&s, at, 3);
    const double largest = w_2 * (w_1 * 3 + norm_of(&f->w_1)) + norm_of(&f->w_2);
    ck_assert_double_eq_tol(b.largest, largest, 2e-8 * largest);
    ck_assert_double_eq_tol(b.about, slope * w_1 * w_2 * 3, 2e-8 * b.about);
    for (enum lnstab__validity where = LNSTAB__AT_THE_POINT; where <= LNSTAB__IN_THE_BALL;
         ++where) {
        ck_assert_double_eq_tol(lnstab__branch_lipschitz(&s, at, where), slope * w_1 * w_2,
                                2e-8 * b.about);
    }
    lnstab_model_destroy(m);
}
END_TEST

/* Heads add up behind a W_O; without it they have columns of their own. */
START_TEST(test_heads_together) {
    static const char *const words[] = {"krylov=4 heads=2", "krylov=4 heads=2 out_proj=0"};
    for (int i = 0; i < 2; ++i) {
        lnstab_model *m = bounds_model(words[i]);
        const struct lnstab__scene s = lnstab__scene_of(m);
        const struct lnstab__attention *f = &m->sublayers[0].of.attention;
        const double a = lnstab__head_values(&s, f, 0).value;
        const double b = lnstab__head_values(&s, f, 1).value;
        const struct lnstab__branch_bounds got = lnstab__branch_bounds_of(&s, &m->sublayers[0], 3);
        const double all = i ? hypot(a, b) : a + b;
        ck_assert_double_eq_tol(got.about, 3 * all, 1e-14 * all);
        ck_assert_double_eq_tol(got.largest, 3 * all + lnstab__attention_offsets(&s, f).with,
                                1e-14 * got.largest);
        lnstab_model_destroy(m);
    }
}
END_TEST

/* A query that sees nothing has b_O: alone where the weights are too small to reach it. */
START_TEST(test_blind_query) {
    static const uint8_t keep[BENCH_T] = {0, 1, 1};
    const double x[BENCH_N] = {1, 2};
    lnstab_model *m = bounds_model("krylov=4 causal=1");
    const struct lnstab__scene s = lnstab__scene_of(m);
    const struct lnstab__attention *f = &m->sublayers[0].of.attention;
    double *b_v = f->w_v.bias.data, *b_o = f->w_o.bias.data, *w_o = f->w_o.weight.data;
    for (int i = 0; i < BENCH_D * BENCH_D; ++i) {
        w_o[i] = i % (BENCH_D + 1) == 0;
    }
    for (int i = 0; i < BENCH_D; ++i) {
        b_v[i] = -(b_o[i] = 1);
    }
    bench_forward(m, x);
    ck_assert_double_eq(lnstab__branch_bounds_of(&s, &m->sublayers[0], 0).largest, 0);
    ck_assert_double_eq(lnstab__branch_bounds_of(&s, &m->sublayers[0], 0).about, 0);
    ck_good(lnstab_model_message(m), lnstab_model_forward_embedded(m, 1, BENCH_T, x, keep));
    ck_assert_double_eq(lnstab__branch_bounds_of(&s, &m->sublayers[0], 0).largest, 2);
    ck_assert_double_eq(lnstab__branch_bounds_of(&s, &m->sublayers[0], 0).about, 2);
    w_o[0] = NAN;
    ck_assert_double_nan(lnstab__branch_bounds_of(&s, &m->sublayers[0], 0).largest);
    lnstab_model_destroy(m);
}
END_TEST

/* c ( 1 + R (R M + key) ) + R (R M + query), c of the weights there are or sqrt T. */
START_TEST(test_attention) {
    lnstab_model *m = bounds_model("krylov=4 heads=1 causal=1 soft_cap=3");
    const struct lnstab__scene s = lnstab__scene_of(m);
    const struct lnstab__sublayer *at = &m->sublayers[0];
    const struct lnstab__head_bounds b = lnstab__head_bounds_of(&s, &at->of.attention, 0);
    const double r = lnstab__scene_largest(&s, at->f_in.data, BENCH_D);
    const double here = lnstab__head_spread(&s, &at->of.attention, 0);
    const double c[] = {here, sqrt(BENCH_T)};
    ck_assert_double_gt(c[1], here + 0.01);
    for (int i = 0; i < 2; ++i) {
        const double wanted =
            b.value * (c[i] * (1 + r * (r * b.score + b.key)) + r * (r * b.score + b.query));
        const double got =
            lnstab__branch_lipschitz(&s, at, i ? LNSTAB__IN_THE_BALL : LNSTAB__AT_THE_POINT);
        ck_assert_double_eq_tol(got, wanted, 1e-14 * wanted);
    }
    lnstab_model_destroy(m);
}
END_TEST

/* With W_K = 0 and b_Q = 0 nothing of the weights depends on inputs: c is theirs, sqrt(1 + 1/2 + 1/3). With a
 * b_Q alone and a W_K it does. */
START_TEST(test_fixed_weights) {
    lnstab_model *m = bounds_model("krylov=4 heads=1 causal=1");
    const struct lnstab__sublayer *at = &m->sublayers[0];
    const struct lnstab__attention *f = &at->of.attention;
    const double x[BENCH_N] = {1, 2, 3, 4, 5, 6};
    const struct lnstab__scene s = lnstab__scene_of(m);
    double w_k[BENCH_D * BENCH_D];
    memcpy(w_k, f->w_k.weight.data, sizeof w_k);
    memset(f->w_k.weight.data, 0, sizeof w_k);
    bench_forward(m, x);
    const double value = lnstab__head_values(&s, f, 0).value;
    ck_assert_double_eq_tol(lnstab__branch_lipschitz(&s, at, LNSTAB__IN_THE_BALL),
                            value * sqrt(11.0 / 6), 1e-13 * value);
    memcpy(f->w_k.weight.data, w_k, sizeof w_k);
    memset(f->w_q.weight.data, 0, sizeof w_k);
    bench_forward(m, x);
    const double key = lnstab__head_bounds_of(&s, f, 0).key;
    const double r = lnstab__scene_largest(&s, at->f_in.data, BENCH_D);
    ck_assert_double_gt(key, 0.01);
    ck_assert_double_eq_tol(lnstab__branch_lipschitz(&s, at, LNSTAB__IN_THE_BALL),
                            value * sqrt(3) * (1 + r * key), 1e-13 * value * (1 + r * key));
    lnstab_model_destroy(m);
}
END_TEST

int main(void) {
    const TTest *const tests[] = {test_slopes,      test_ffn,       test_heads_together,
                                  test_blind_query, test_attention, test_fixed_weights};
    return run_tests("branch_bounds", tests, sizeof tests / sizeof *tests);
}
