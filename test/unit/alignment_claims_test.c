/* analysis/alignment_claims.c: velocities and costates, against sums over a model's states. */

#include "support/main.h"
#include "unit/bounds_bench.h"

static const char *const designs[] = {"placement=peri beta=-0.7", "placement=output-norm norm=rms",
                                      "placement=post norm_out=1"};

/* ||x - mean x||, or ||x||. */
static double about_mean(const lnstab_model *m, const double x[BENCH_D]) {
    static const double ones[BENCH_D] = {1, 1, 1, 1};
    double y[BENCH_D];
    for (int j = 0; j < BENCH_D; ++j) {
        y[j] = x[j] - (m->spec.norm == LNSTAB__NORM_LAYER ? dot(BENCH_D, x, ones) / BENCH_D : 0);
    }
    return sqrt(dot(BENCH_D, y, y));
}

struct totals {
    double along, bias, reach, support;
};

static struct totals totals_of(const lnstab_model *m, const struct lnstab__sublayer *at) {
    const double *gamma = at->norm_out.gamma.data, *bias = at->norm_out.bias.data;
    struct totals out = {.support = -INFINITY};
    for (int i = 0; i < BENCH_T; ++i) {
        const double *p = (const double *)at->sum.grad + i * BENCH_D;
        const double *v = (const double *)at->f_out.data + i * BENCH_D;
        double scaled[BENCH_D];
        for (int j = 0; j < BENCH_D; ++j) {
            scaled[j] = gamma[j] * p[j];
        }
        const double along = dot(BENCH_D, p, v), beside = bias ? dot(BENCH_D, p, bias) : 0;
        const double reach = sqrt(BENCH_D) * about_mean(m, scaled);
        out.along += along;
        out.bias += beside;
        out.reach += reach;
        out.support = fmax(out.support, (along - beside) / reach);
    }
    return out;
}

START_TEST(test_measured) {
    lnstab_model *m = bounds_model(designs[_i]);
    for (int k = 1; k <= 4; ++k) {
        const struct totals t = totals_of(m, &m->sublayers[k - 1]);
        char at[20];
        snprintf(at, sizeof at, "sublayer=%d", k);
        ck_assert_double_eq(sides_of(m, "support.velocity", at).stated, 1);
        assert_near(at, 1, sides_of(m, "support.velocity", at).measured, t.support, 1e-12);
        assert_near(at, 2, sides_of(m, "hamiltonian.largest", at).stated, t.bias / t.reach + 1,
                    1e-12);
        assert_near(at, 3, sides_of(m, "hamiltonian.largest", at).measured, t.along / t.reach,
                    1e-12);
        assert_near(at, 4, sides_of(m, "hamiltonian.smallest", at).stated, t.bias / t.reach - 1,
                    1e-12);
        assert_near(at, 5, sides_of(m, "hamiltonian.smallest", at).measured, t.along / t.reach,
                    1e-12);
        ck_assert_double_eq(sides_of(m, "hamiltonian.alignment", at).stated, 1);
        assert_near(at, 6, sides_of(m, "hamiltonian.alignment", at).measured,
                    (t.bias - t.along) / t.reach, 1e-12);
    }
    lnstab_model_destroy(m);
}
END_TEST

START_TEST(test_gradient_of_w_2) {
    lnstab_model *m = bounds_model(designs[_i]);
    for (int l = 1; l <= 2; ++l) {
        const struct lnstab__sublayer *at = &m->sublayers[2 * l - 1];
        const double *gamma = at->norm_out.gamma.data;
        double share = 0, most = 0;
        char layer[20];
        snprintf(layer, sizeof layer, "layer=%d", l);
        for (int j = 0; j < BENCH_D; ++j) {
            most = fmax(most, fabs(gamma[j]));
        }
        for (int i = 0; i < BENCH_T; ++i) {
            const double *p = (const double *)at->sum.grad + i * BENCH_D;
            const double *b = (const double *)at->branch.grad + i * BENCH_D;
            const double *f = (const double *)at->branch.data + i * BENCH_D;
            share = fmax(share, sqrt(dot(BENCH_D, b, b) / dot(BENCH_D, p, p) / BENCH_D) *
                                    about_mean(m, f) / most / fabs(at->beta));
        }
        ck_assert_double_eq(sides_of(m, "peri.w_2", layer).stated, 1);
        assert_near(layer, 0, sides_of(m, "peri.w_2", layer).measured, share, 1e-12);
    }
    lnstab_model_destroy(m);
}
END_TEST

START_TEST(test_what_there_is_not) {
    static const char *const of_sublayers[] = {"support.velocity", "hamiltonian.largest",
                                               "hamiltonian.smallest", "hamiltonian.alignment"};
    const double nothing[BENCH_N] = {0};
    lnstab_model *m = bounds_model("placement=peri attn.norm_out=0");
    for (int i = 0; i < 4; ++i) {
        assert_no_sides(m, of_sublayers[i], "sublayer=1", "no finite value");
        assert_no_sides(m, of_sublayers[i], "sublayer=5", "no finite value");
    }
    ck_good(lnstab_model_message(m), lnstab_model_backward(m, nothing));
    ck_assert_double_nan(sides_of(m, "support.velocity", "sublayer=2").measured);
    ck_assert_double_nan(sides_of(m, "peri.w_2", "layer=1").measured);
    for (int i = 1; i < 4; ++i) {
        assert_no_sides(m, of_sublayers[i], "sublayer=2", "no finite value");
    }
    lnstab_model_destroy(m);
    m = bounds_model("placement=pre");
    assert_no_sides(m, "peri.w_2", "layer=1", "no finite value");
    lnstab_model_destroy(m);
}
END_TEST

/* Costates whose squares are 0 count as others do. */
START_TEST(test_small_costates) {
    static const char *const claims[] = {"support.velocity", "hamiltonian.largest",
                                         "hamiltonian.alignment"};
    struct pool pool = {0};
    lnstab_model *m = bounds_model("placement=peri");
    double *dout = pool_normals(&pool, 8, BENCH_N, 0.7), wanted[3];
    for (int i = 0; i < 3; ++i) {
        wanted[i] = sides_of(m, claims[i], "sublayer=2").measured;
    }
    const double share = sides_of(m, "peri.w_2", "layer=1").measured;
    for (int i = 0; i < BENCH_N; ++i) {
        dout[i] *= 1e-200;
    }
    ck_good(lnstab_model_message(m), lnstab_model_backward(m, dout));
    for (int i = 0; i < 3; ++i) {
        assert_near(claims[i], 0, sides_of(m, claims[i], "sublayer=2").measured, wanted[i], 1e-12);
    }
    assert_near("peri.w_2", 0, sides_of(m, "peri.w_2", "layer=1").measured, share, 1e-12);
    pool_end(&pool);
    lnstab_model_destroy(m);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("alignment_claims");
    TCase *cases = tcase_create("alignment_claims");
    const int count = sizeof designs / sizeof *designs;
    tcase_add_loop_test(cases, test_measured, 0, count);
    tcase_add_loop_test(cases, test_gradient_of_w_2, 0, count);
    tcase_add_test(cases, test_what_there_is_not);
    tcase_add_test(cases, test_small_costates);
    suite_add_tcase(suite, cases);
    return run_suite(suite);
}
