/* analysis/ellipsoid_claims.c: what norms put out, against z made anew from what they read. */

#include "analysis/norm_facts.h"
#include "support/main.h"
#include "unit/bounds_bench.h"

static const char *const designs[] = {"placement=pre kappa=0.5", "placement=peri",
                                      "placement=post norm=rms eps=0.1",
                                      "placement=output-norm norm_res=1 kappa=2"};

/* z of one row in long double. */
static void normalise(const struct lnstab__norm_op *norm, const double *x, double z[BENCH_D]) {
    long double mean = 0, square = 0;
    for (int j = 0; norm->kind == LNSTAB__NORM_LAYER && j < BENCH_D; ++j) {
        mean += (long double)x[j] / BENCH_D;
    }
    for (int j = 0; j < BENCH_D; ++j) {
        square += (x[j] - mean) * (x[j] - mean) / BENCH_D;
    }
    for (int j = 0; j < BENCH_D; ++j) {
        z[j] = (double)((x[j] - mean) / sqrtl(square + (long double)norm->eps));
    }
}

START_TEST(test_measured) {
    lnstab_model *m = bounds_model(designs[_i]);
    const struct lnstab__scene s = lnstab__scene_of(m);
    for (int k = 1; k <= 5; ++k) {
        struct lnstab__placed_norm at[3];
        const int count = lnstab__norms_of_sublayer(&s, k, at);
        double share = 0, entry = 0, z[BENCH_D];
        char arguments[40];
        snprintf(arguments, sizeof arguments, "sublayer=%d", k);
        for (int i = 0; i < count * BENCH_T; ++i) {
            const struct lnstab__placed_norm *of = &at[i / BENCH_T];
            normalise(of->norm, (const double *)of->in + i % BENCH_T * BENCH_D, z);
            share = fmax(share, dot(BENCH_D, z, z) / BENCH_D);
            for (int j = 0; j < BENCH_D; ++j) {
                entry = fmax(entry, fabs(z[j]));
            }
        }
        if (count == 0) {
            assert_no_sides(m, "ellipsoid.norm", arguments, "no finite value");
            continue;
        }
        const struct sides norm = sides_of(m, "ellipsoid.norm", arguments);
        ck_assert_double_eq(norm.stated, 1);
        assert_near(arguments, 0, norm.measured, share, 1e-12);
        const struct sides of_entry = sides_of(m, "ellipsoid.entry", arguments);
        ck_assert_double_eq(of_entry.stated, sqrt(s.spec->norm == LNSTAB__NORM_RMS ? 4 : 3));
        assert_near(arguments, 0, of_entry.measured, entry, 1e-12);
    }
    lnstab_model_destroy(m);
}
END_TEST

START_TEST(test_sums) {
    lnstab_model *m = bounds_model("placement=peri");
    double *gamma = m->sublayers[0].norm_in.gamma.data, *bias = m->sublayers[0].norm_out.bias.data;
    ck_assert_double_le(sides_of(m, "ellipsoid.sum", "sublayer=1").measured, 1e-15);
    bias[1] += 0.5; /* not what the output was made with */
    const double *gamma_out = m->sublayers[0].norm_out.gamma.data;
    assert_near("sum", 0, sides_of(m, "ellipsoid.sum", "sublayer=1").measured,
                0.5 / fabs(gamma_out[1]) / BENCH_D, 1e-12);
    gamma[2] = 0;
    assert_near("the other norm", 0, sides_of(m, "ellipsoid.sum", "sublayer=1").measured,
                0.5 / fabs(gamma_out[1]) / BENCH_D, 1e-12);
    ((double *)m->sublayers[0].norm_out.gamma.data)[3] = 0;
    assert_no_sides(m, "ellipsoid.sum", "sublayer=1", "no finite value");
    lnstab_model_destroy(m);
}
END_TEST

START_TEST(test_what_there_is_not) {
    lnstab_model *m = bounds_model("placement=post norm=rms");
    assert_no_sides(m, "ellipsoid.sum", "sublayer=1", "norm must be layer");
    assert_no_sides(m, "ellipsoid.norm", "sublayer=5", "no finite value");
    lnstab_model_destroy(m);
    m = bounds_model("placement=pre kappa=0");
    assert_no_sides(m, "ellipsoid.norm", "sublayer=1", "no finite value");
    lnstab_model_destroy(m);
}
END_TEST

/* Where gamma is 0 the output is the bias; where it is tiny beside the bias, the output tells nothing of z. */
START_TEST(test_small_gammas) {
    lnstab_model *m = bounds_model("placement=pre");
    double *gamma = m->sublayers[0].norm_in.gamma.data, *bias = m->sublayers[0].norm_in.bias.data;
    double x[BENCH_N];
    gamma[0] = 0;
    gamma[1] = 1e-17;
    bias[1] = 3;
    for (int i = 0; i < BENCH_N; ++i) {
        x[i] = i % 2 ? 100 : -100;
    }
    bench_forward(m, x);
    assert_near("share", 0, sides_of(m, "ellipsoid.norm", "sublayer=1").measured, 0.5, 1e-6);
    assert_near("entry", 0, sides_of(m, "ellipsoid.entry", "sublayer=1").measured, 1, 1e-6);
    ck_assert_double_eq(sides_of(m, "ellipsoid.norm", "sublayer=1").stated, 1);
    x[3] = NAN;
    bench_forward(m, x);
    ck_assert_double_nan(sides_of(m, "ellipsoid.norm", "sublayer=1").measured);
    ck_assert_double_nan(sides_of(m, "ellipsoid.entry", "sublayer=1").measured);
    lnstab_model_destroy(m);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("ellipsoid_claims");
    TCase *cases = tcase_create("ellipsoid_claims");
    tcase_add_loop_test(cases, test_measured, 0, sizeof designs / sizeof *designs);
    tcase_add_test(cases, test_sums);
    tcase_add_test(cases, test_what_there_is_not);
    tcase_add_test(cases, test_small_gammas);
    suite_add_tcase(suite, cases);
    return run_suite(suite);
}
