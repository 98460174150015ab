/* analysis/state_claims.c: what a model has of the states, against sums over its arrays. */

#include "unit/measure_fixture.h"

#include "support/main.h"

enum { D = MEASURE_D, T = MEASURE_T, L = MEASURE_L };

static double mean_square(const double *x) {
    return dot(T * D, x, x) / (T * D);
}

/* The final norm has no branch: 0 is what is predicted of it, and 0 is measured. */
START_TEST(test_squares) {
    lnstab_model *m = measure_model("placement=peri ffn.beta=0.5 layer.2.attn.norm_res=1");
    measure_forward(m, 1, T);
    for (int k = 1; k <= 2 * L + 1; ++k) {
        const int is_final = k == 2 * L + 1;
        const double *x = data_of(m, stream_name(k));
        const double *sum = is_final ? data_of(m, stream_name(k - 1)) : state_of(m, k, "sum");
        assert_same("state", (size_t)k, measure(m, "meanfield.state", "sublayer=%d", k).measured,
                    mean_square(x));
        assert_same("sum", (size_t)k, measure(m, "meanfield.sum", "sublayer=%d", k).measured,
                    mean_square(sum));
        assert_same("input", (size_t)k, measure(m, "meanfield.input", "sublayer=%d", k).measured,
                    is_final ? 0 : mean_square(state_of(m, k, "f_in")));
        assert_same("branch", (size_t)k, measure(m, "meanfield.branch", "sublayer=%d", k).measured,
                    is_final ? 0 : mean_square(state_of(m, k, "branch")));
    }
    lnstab_model_destroy(m);
}
END_TEST

START_TEST(test_nothing_is_stated_of_a_branch_of_the_final_norm) {
    static const char *const claims[] = {"meanfield.input", "meanfield.branch",
                                         "meanfield.update_ratio"};
    lnstab_model *m = measure_model("placement=pre");
    measure_forward(m, 1, T);
    for (int i = 0; i < 3; ++i) {
        const struct sides s = measure(m, claims[i], "sublayer=%d", 2 * L + 1);
        ck_assert_double_eq(s.stated, 0);
        ck_assert_double_eq(s.measured, 0);
    }
    lnstab_model_destroy(m);
}
END_TEST

int main(void) {
    const TTest *const tests[] = {test_squares,
                                  test_nothing_is_stated_of_a_branch_of_the_final_norm};
    return run_tests("state_measures", tests, sizeof tests / sizeof *tests);
}
