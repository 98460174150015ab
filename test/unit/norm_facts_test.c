/* analysis/norm_facts.h: what norms give for any input. */

#include "analysis/norm_facts.h"

#include "support/main.h"
#include "unit/bounds_bench.h"

/* gamma and bias of the last N_out of a model, and that norm. */
static const struct lnstab__norm_op *with(lnstab_model *m, const double gamma[BENCH_D],
                                          const double bias[BENCH_D]) {
    const struct lnstab__norm_op *norm = &m->sublayers[3].norm_out;
    memcpy(norm->gamma.data, gamma, BENCH_D * sizeof *gamma);
    memcpy(norm->bias.data, bias, BENCH_D * sizeof *bias);
    return norm;
}

START_TEST(test_facts) {
    static const double gamma[] = {1, -3, 0, 2}, bias[] = {2, -1, 0, -2};
    lnstab_model *m = bounds_model("placement=peri");
    const struct lnstab__scene s = lnstab__scene_of(m);
    const struct lnstab__norm_facts f = lnstab__norm_facts_of(&s, with(m, gamma, bias));
    ck_assert_double_eq(f.gamma, 3);
    ck_assert_double_eq_tol(f.radius, 2 * 3 + 3, 1e-15);
    ck_assert_double_eq_tol(f.mean, sqrt(14.0 / 4) + 5.0 / 4, 1e-15);
    ck_assert_double_eq_tol(f.deviation, 3 + sqrt(9.0 / 4 - 1.0 / 16), 1e-15);
    lnstab_model_destroy(m);
}
END_TEST

/* kappa multiplies all of it, whatever its sign; RMSNorm has no bias. */
START_TEST(test_scale) {
    lnstab_model *m = bounds_model("placement=pre kappa=-2 norm=rms");
    const struct lnstab__scene s = lnstab__scene_of(m);
    const struct lnstab__norm_op *norm = &m->sublayers[0].norm_in;
    double *gamma = norm->gamma.data;
    memcpy(gamma, (const double[]){0.5, 0.5, -0.5, 0.5}, BENCH_D * sizeof *gamma);
    const struct lnstab__norm_facts f = lnstab__norm_facts_of(&s, norm);
    ck_assert_double_eq(f.gamma, 1);
    ck_assert_double_eq(f.radius, 2);
    ck_assert_double_eq(f.mean, 1);
    ck_assert_double_eq(f.deviation, 1);
    lnstab_model_destroy(m);
}
END_TEST

START_TEST(test_largest_rstd) {
    lnstab_model *m = bounds_model("placement=pre");
    const struct lnstab__scene s = lnstab__scene_of(m);
    const struct lnstab__norm_op *norm = &m->sublayers[0].norm_in;
    double x[BENCH_N];
    for (int i = 0; i < BENCH_N; ++i) {
        x[i] = 10 + (i % 2 ? 1 : -1) * (i / BENCH_D == 1 ? 0.5 : 2);
    }
    ck_assert_double_eq_tol(lnstab__norm_largest_rstd(&s, norm, x), 1 / sqrt(0.25 + 1e-3), 1e-13);
    x[0] = NAN;
    ck_assert_double_nan(lnstab__norm_largest_rstd(&s, norm, x));
    lnstab_model_destroy(m);
}
END_TEST

START_TEST(test_norms_of_a_sublayer) {
    struct lnstab__placed_norm at[3];
    lnstab_model *m = bounds_model("placement=peri layer.1.ffn.norm_in=0 layer.2.attn.norm_res=1");
    const struct lnstab__scene s = lnstab__scene_of(m);
    ck_assert_int_eq(lnstab__norms_of_sublayer(&s, 1, at), 2);
    ck_assert_ptr_eq(at[0].norm, &m->sublayers[0].norm_in);
    ck_assert_ptr_eq(at[0].in, m->sublayers[0].in.data);
    ck_assert_ptr_eq(at[0].out, m->sublayers[0].f_in.data);
    ck_assert_int_eq(lnstab__norms_of_sublayer(&s, 2, at), 1);
    ck_assert_ptr_eq(at[0].norm, &m->sublayers[1].norm_out);
    ck_assert_ptr_eq(at[0].in, m->sublayers[1].branch.data);
    ck_assert_ptr_eq(at[0].out, m->sublayers[1].f_out.data);
    ck_assert_int_eq(lnstab__norms_of_sublayer(&s, 3, at), 3);
    ck_assert_ptr_eq(at[2].norm, &m->sublayers[2].norm_res);
    ck_assert_ptr_eq(at[2].in, m->sublayers[2].sum.data);
    ck_assert_ptr_eq(at[2].out, m->sublayers[2].out.data);
    ck_assert_int_eq(lnstab__norms_of_sublayer(&s, 5, at), 1);
    ck_assert_ptr_eq(at[0].norm, &m->norm_final);
    ck_assert_ptr_eq(at[0].in, m->sublayers[3].out.data);
    ck_assert_ptr_eq(at[0].out, m->output.data);
    lnstab_model_destroy(m);
}
END_TEST

START_TEST(test_entries) {
    static const float single[] = {1, 2, 3};
    lnstab_model *m = new_model("width=4 heads=1 dtype=float32");
    const struct lnstab__scene s = lnstab__scene_of(m);
    ck_assert_double_eq(lnstab__scene_entry(&s, single, 2, 7), 3);
    ck_assert_double_eq(lnstab__scene_entry(&s, NULL, 2, 7), 7);
    ck_assert_double_eq(lnstab__unit_roundoff(&s), 0x1p-24);
    ck_assert_double_eq(lnstab__larger(1, 2), 2);
    ck_assert_double_eq(lnstab__larger(2, 1), 2);
    ck_assert_double_nan(lnstab__larger(2, NAN));
    ck_assert_double_nan(lnstab__larger(NAN, 2));
    lnstab_model_destroy(m);
}
END_TEST

int main(void) {
    const TTest *const tests[] = {test_facts, test_scale, test_largest_rstd,
                                  test_norms_of_a_sublayer, test_entries};
    return run_tests("norm_facts", tests, sizeof tests / sizeof *tests);
}
