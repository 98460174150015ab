/* analysis/velocity.h: one token's velocity and costate, against sums over its entries. */

#include "analysis/velocity.h"

#include "support/main.h"
#include "unit/bounds_bench.h"

static const char *const designs[] = {"placement=peri", "placement=output-norm norm=rms"};

START_TEST(test_tokens) {
    lnstab_model *m = bounds_model(designs[_i]);
    const struct lnstab__scene s = lnstab__scene_of(m);
    const struct lnstab__sublayer *at = &m->sublayers[1];
    const double *gamma = at->norm_out.gamma.data, *bias = at->norm_out.bias.data;
    struct lnstab__velocity sum = {0};
    for (size_t i = 0; i < BENCH_T; ++i) {
        const struct lnstab__velocity got = lnstab__velocity_of(&s, at, i);
        const double *p = (const double *)at->sum.grad + i * BENCH_D;
        const double *v = (const double *)at->f_out.data + i * BENCH_D;
        double mean = 0, square = 0, sizes = 0;
        for (int j = 0; j < BENCH_D; ++j) {
            mean += _i == 0 ? gamma[j] * p[j] / BENCH_D : 0;
            sizes += fabs(p[j] * v[j]) + (bias ? fabs(p[j] * bias[j]) : 0);
        }
        for (int j = 0; j < BENCH_D; ++j) {
            square += pow(gamma[j] * p[j] - mean, 2);
        }
        assert_near("along", i, got.along, dot(BENCH_D, p, v), 1e-14);
        assert_near("bias", i, got.bias, bias ? dot(BENCH_D, p, bias) : 0, 1e-14);
        assert_near("reach", i, got.reach, sqrt(BENCH_D * square), 1e-14);
        assert_near("doubt", i, got.doubt, 8 * 0x1p-53 * sizes, 1e-28);
        sum.along += got.along;
        sum.bias += got.bias;
        sum.reach += got.reach;
        sum.doubt += got.doubt;
    }
    const struct lnstab__velocity all = lnstab__velocity_sum(&s, at);
    ck_assert_double_eq(all.along, sum.along);
    ck_assert_double_eq(all.bias, sum.bias);
    ck_assert_double_eq(all.reach, sum.reach);
    ck_assert_double_eq(all.doubt, sum.doubt);
    lnstab_model_destroy(m);
}
END_TEST

START_TEST(test_row_norms) {
    static const double rows[] = {3e-200, 0, 4e-200, 1e-200, 0,     0,
                                  0,      0, 3e200,  3e200,  3e200, 3e200};
    lnstab_model *m = new_model("layers=1 width=4 heads=1 dtype=float64");
    const struct lnstab__scene s = lnstab__scene_of(m);
    const double nothing[] = {1, NAN, 1, 1};
    ck_assert_double_eq_tol(lnstab__row_norm(&s, rows, 0, 0) * 1e200, sqrt(26), 1e-14);
    ck_assert_double_eq_tol(lnstab__row_norm(&s, rows, 0, 1) * 1e200, sqrt(10), 1e-14);
    ck_assert_double_eq(lnstab__row_norm(&s, rows, 1, 1), 0);
    ck_assert_double_eq_tol(lnstab__row_norm(&s, rows, 2, 0) / 1e200, 6, 1e-14);
    ck_assert_double_eq(lnstab__row_norm(&s, rows, 2, 1), 0);
    ck_assert_double_nan(lnstab__row_norm(&s, nothing, 0, 1));
    lnstab_model_destroy(m);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("velocity");
    TCase *cases = tcase_create("velocity");
    tcase_add_loop_test(cases, test_tokens, 0, sizeof designs / sizeof *designs);
    tcase_add_test(cases, test_row_norms);
    suite_add_tcase(suite, cases);
    return run_suite(suite);
}
