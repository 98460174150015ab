/* analysis/stream_bounds.h: the recursions along the stream. */

#include "analysis/stream_bounds.h"

#include "analysis/norm_facts.h"
#include "support/main.h"
#include "unit/bounds_bench.h"

typedef struct lnstab__stream_bounds bounds_t;

static void assert_bounds(const char *what, bounds_t got, bounds_t wanted) {
    assert_near(what, 0, got.norm, wanted.norm, 1e-13 * wanted.norm);
    assert_near(what, 1, got.mean, wanted.mean, 1e-13 * wanted.mean);
    assert_near(what, 2, got.deviation, wanted.deviation, 1e-13 * wanted.deviation);
    assert_near(what, 3, got.spread, wanted.spread, 1e-13 * wanted.spread);
}

START_TEST(test_as_they_are) {
    const double x[BENCH_N] = {1, 1, 1, 1, 1, -1, 2, 0, 1, 0, 0, -2};
    lnstab_model *m = bounds_model("placement=none");
    const struct lnstab__scene s = lnstab__scene_of(m);
    bench_forward(m, x);
    double spread = 0;
    for (int j = 0; j < BENCH_D; ++j) {
        const double mean = (x[j] + x[j + BENCH_D] + x[j + 2 * BENCH_D]) / 3;
        for (int i = 0; i < BENCH_T; ++i) {
            spread += pow(x[i * BENCH_D + j] - mean, 2) / BENCH_N;
        }
    }
    assert_bounds("there", lnstab__stream_there(&s, 0),
                  (bounds_t){sqrt(6.0 / 4), 1, sqrt(1.25), sqrt(spread)});
    lnstab_model_destroy(m);
}
END_TEST

/* Any unit of the states; and a bias that they are lost beside is no spread. */
START_TEST(test_states_of_any_size) {
    static const double units[] = {0x1p700, 0x1p-700};
    const double x[BENCH_N] = {1, 1, 1, 1, 1, -1, 2, 0, 1, 0, 0, -2};
    lnstab_model *m = bounds_model("placement=none");
    const struct lnstab__scene s = lnstab__scene_of(m);
    bench_forward(m, x);
    const bounds_t one = lnstab__stream_there(&s, 0);
    for (int u = 0; u < 2; ++u) {
        double scaled[BENCH_N];
        for (int i = 0; i < BENCH_N; ++i) {
            scaled[i] = x[i] * units[u];
        }
        bench_forward(m, scaled);
        const bounds_t got = lnstab__stream_there(&s, 0),
                       back = {got.norm / units[u], got.mean / units[u], got.deviation / units[u],
                               got.spread / units[u]};
        assert_bounds("unit", back, one);
    }
    lnstab_model_destroy(m);
}
END_TEST

START_TEST(test_what_rounding_makes) {
    lnstab_model *m = bounds_model("placement=post");
    const struct lnstab__scene s = lnstab__scene_of(m);
    double *bias = m->sublayers[0].norm_res.bias.data;
    for (int j = 0; j < BENCH_D; ++j) {
        bias[j] = j % 2 ? 1.1e30 : -1.3e30;
    }
    const double x[BENCH_N] = {1, 1, 1, 1, 1, -1, 2, 0, 1, 0, 0, -2};
    bench_forward(m, x);
    ck_assert_double_eq(lnstab__stream_there(&s, 1).spread, 0);
    for (int j = 0; j < BENCH_D; ++j) {
        bias[j] = 1.1e30;
    }
    bench_forward(m, x);
    ck_assert_double_eq(lnstab__stream_there(&s, 1).deviation, 0);
    lnstab_model_destroy(m);
}
END_TEST

static bounds_t of_norm(const struct lnstab__scene *s, const struct lnstab__norm_op *norm) {
    const struct lnstab__norm_facts f = lnstab__norm_facts_of(s, norm);
    return (bounds_t){f.radius / sqrt(BENCH_D), f.mean, f.deviation, f.gamma};
}

static bounds_t combined(double alpha, bounds_t a, double beta, bounds_t b) {
    return (bounds_t){alpha * a.norm + beta * b.norm, alpha * a.mean + beta * b.mean,
                      alpha * a.deviation + beta * b.deviation, alpha * a.spread + beta * b.spread};
}

static const bounds_t before = {5, 4, 3, 2};

START_TEST(test_what_norms_bound) {
    lnstab_model *m = bounds_model("placement=peri alpha=-0.5 beta=-2 layer.2.norm_res=1");
    const struct lnstab__scene s = lnstab__scene_of(m);
    assert_bounds("N_out", lnstab__stream_after(&s, 2, before),
                  combined(0.5, before, 2, of_norm(&s, &m->sublayers[1].norm_out)));
    assert_bounds("N_res", lnstab__stream_after(&s, 3, before),
                  of_norm(&s, &m->sublayers[2].norm_res));
    assert_bounds("final", lnstab__stream_after(&s, 5, before), of_norm(&s, &m->norm_final));
    lnstab_model_destroy(m);
    m = bounds_model("placement=none beta=0 alpha=3");
    const struct lnstab__scene bare = lnstab__scene_of(m);
    assert_bounds("beta=0", lnstab__stream_after(&bare, 1, before), combined(3, before, 0, before));
    assert_bounds("no final norm", lnstab__stream_after(&bare, 5, before), before);
    lnstab_model_destroy(m);
}
END_TEST

/* F reads kappa times the ball of N_in, or what there was before. */
START_TEST(test_what_weights_bound) {
    static const char *const words[] = {"placement=pre kappa=-0.5 beta=-2 krylov=4",
                                        "placement=none kappa=-0.5 beta=-2 krylov=4"};
    for (int i = 0; i < 2; ++i) {
        lnstab_model *m = bounds_model(words[i]);
        const struct lnstab__scene s = lnstab__scene_of(m);
        for (int k = 1; k <= 2; ++k) {
            const struct lnstab__sublayer *at = &m->sublayers[k - 1];
            const double r = i ? 0.5 * before.norm * sqrt(BENCH_D)
                               : lnstab__norm_facts_of(&s, &at->norm_in).radius;
            const struct lnstab__branch_bounds b = lnstab__branch_bounds_of(&s, at, r);
            const double f = b.largest / sqrt(BENCH_D);
            assert_bounds(words[i], lnstab__stream_after(&s, k, before),
                          combined(1, before, 2, (bounds_t){f, f, f, b.about / sqrt(BENCH_D)}));
        }
        lnstab_model_destroy(m);
    }
}
END_TEST

/* Step by step from embed.out, whatever is forgotten on the way. */
START_TEST(test_the_whole_stack) {
    static const char *const words[] = {"placement=peri", "placement=post",
                                        "placement=pre layer.1.attn.norm_res=1 krylov=4"};
    for (int i = 0; i < 3; ++i) {
        lnstab_model *m = bounds_model(words[i]);
        const struct lnstab__scene s = lnstab__scene_of(m);
        bounds_t b = lnstab__stream_there(&s, 0);
        for (int k = 1; k <= 5; ++k) {
            b = lnstab__stream_after(&s, k, b);
            assert_bounds(words[i], lnstab__stream_bound(&s, k), b);
        }
        lnstab_model_destroy(m);
    }
}
END_TEST

static double of(const struct lnstab__scene *s, const struct lnstab__norm_op *norm, const void *x) {
    return lnstab__norm_facts_of(s, norm).gamma * lnstab__norm_largest_rstd(s, norm, x);
}

START_TEST(test_lipschitz) {
    lnstab_model *m = bounds_model("placement=peri layer.2.norm_res=1 ffn.norm_in=0 kappa=-0.5 "
                                   "alpha=-0.5 beta=-2 krylov=4");
    const struct lnstab__scene s = lnstab__scene_of(m);
    for (enum lnstab__validity where = LNSTAB__AT_THE_POINT; where <= LNSTAB__IN_THE_BALL;
         ++where) {
        double product = 1;
        for (int k = 1; k <= 4; ++k) {
            const struct lnstab__sublayer *at = &m->sublayers[k - 1];
            const double in = k % 2 ? of(&s, &at->norm_in, at->in.data) : 0.5;
            const double res = k > 2 ? of(&s, &at->norm_res, at->sum.data) : 1;
            const double wanted = res * (0.5 + 2 * of(&s, &at->norm_out, at->branch.data) *
                                                   lnstab__branch_lipschitz(&s, at, where) * in);
            assert_near("sublayer", (size_t)k, lnstab__sublayer_lipschitz(&s, k, where), wanted,
                        1e-13 * wanted);
            product *= wanted;
        }
        const double last = of(&s, &m->norm_final, m->sublayers[3].out.data);
        assert_near("final", 5, lnstab__sublayer_lipschitz(&s, 5, where), last, 1e-13 * last);
        assert_near("stack", 4, lnstab__stream_lipschitz(&s, 4, where), product, 1e-12 * product);
        assert_near("stack", 5, lnstab__stream_lipschitz(&s, 5, where), product * last,
                    1e-12 * product * last);
    }
    lnstab_model_destroy(m);
    m = bounds_model("placement=none beta=0 alpha=3");
    const struct lnstab__scene bare = lnstab__scene_of(m);
    ck_assert_double_eq(lnstab__stream_lipschitz(&bare, 5, LNSTAB__AT_THE_POINT), 81);
    lnstab_model_destroy(m);
}
END_TEST

int main(void) {
    const TTest *const tests[] = {
        test_as_they_are,      test_states_of_any_size, test_what_rounding_makes,
        test_what_norms_bound, test_what_weights_bound, test_the_whole_stack,
        test_lipschitz};
    return run_tests("stream_bounds", tests, sizeof tests / sizeof *tests);
}
