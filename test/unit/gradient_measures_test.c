/* analysis/gradient_measures.c: costates and gradients of a model, against sums over their arrays. */

#include "analysis/gradient_measures.h"

#include "support/main.h"
#include "unit/measure_fixture.h"

enum { D = MEASURE_D, H = MEASURE_H, T = MEASURE_T, L = MEASURE_L };

static const char *const scenes[] = {"placement=pre", "placement=post", "placement=peri",
                                     "placement=pre norm=rms ffn.beta=0.5 layer.2.norm_res=1",
                                     "placement=peri final_norm=0 layer.L.ffn.norm_res=1"};

enum { SCENES = sizeof scenes / sizeof *scenes };

/* Mean over pairs i != j of <x_i, x_j>, over the mean of ||x_i||^2. */
static double cosine(const double *x) {
    double pairs = 0, own = 0;
    for (int i = 0; i < T; ++i) {
        own += dot(D, x + i * D, x + i * D) / T;
        for (int j = 0; j < T; ++j) {
            pairs += i == j ? 0 : dot(D, x + i * D, x + j * D) / (T * (T - 1));
        }
    }
    return pairs / own;
}

/* The root mean square over counted tokens of ||counted c_i||, c_i = dLoss/d output_i. */
static double unit_of(lnstab_model *m, int counted) {
    const double *c = grad_of(m, "output");
    double sum = 0;
    for (int i = 0; i < counted; ++i) {
        for (int e = 0; e < D; ++e) {
            sum += pow(counted * c[i * D + e], 2) / counted;
        }
    }
    return sqrt(sum);
}

static void check_costates(lnstab_model *m, const char *claim) {
    const double top = array_norm(grad_of(m, "output"), LNSTAB_FLOAT64, T * D);
    for (int k = 1; k <= 2 * L + 1; ++k) {
        const double *p = grad_of(m, stream_name(k - 1));
        assert_same(claim, (size_t)k, measure(m, claim, "sublayer=%d", k).measured,
                    array_norm(p, LNSTAB_FLOAT64, T * D) / top);
    }
}

static void check_matrices(lnstab_model *m, const char *prefix, int counted) {
    static const struct {
        const char *name;
        int is_ffn, count;
    } matrices[] = {{"w_v", 0, D * D}, {"w_o", 0, D * D}, {"w_1", 1, D * H}, {"w_2", 1, D * H}};
    const double unit = unit_of(m, counted);
    for (int l = 1; l <= L; ++l) {
        for (int i = 0; i < 4; ++i) {
            char claim[48];
            const double *dw = costate_of(m, 2 * l - 1 + matrices[i].is_ffn, matrices[i].name);
            snprintf(claim, sizeof claim, "meanfield.%s%s", prefix, matrices[i].name);
            assert_same(claim, (size_t)l, measure(m, claim, "layer=%d", l).measured,
                        array_norm(dw, LNSTAB_FLOAT64, (size_t)matrices[i].count) / unit);
        }
    }
}

START_TEST(test_loss_of_a_sequence) {
    lnstab_model *m = measure_model(scenes[_i]);
    measure_forward(m, 1, T);
    measure_backward(m, T);
    check_costates(m, "meanfield.costate");
    check_matrices(m, "", T);
    assert_same("unit", 0, measure(m, "meanfield.loss_gradient", "").measured, unit_of(m, T));
    for (int k = 1; k <= 2 * L + 1; ++k) {
        assert_near("cosine", (size_t)k,
                    measure(m, "meanfield.costate_cosine", "sublayer=%d", k).measured,
                    cosine(grad_of(m, stream_name(k - 1))), 1e-12);
    }
    lnstab_model_destroy(m);
}
END_TEST

START_TEST(test_loss_of_one_token) {
    lnstab_model *m = measure_model(scenes[_i]);
    measure_forward(m, 1, T);
    measure_backward(m, 1);
    check_costates(m, "meanfield.token_costate");
    check_matrices(m, "token_", 1);
    lnstab_model_destroy(m);
}
END_TEST

/* Behind the last norm: of the state that the final norm reads, or that N_res does. */
START_TEST(test_coherence) {
    static const char *const behind[SCENES] = {"layer.2.ffn.out", "layer.2.ffn.sum",
                                               "layer.2.ffn.out", "layer.2.ffn.out",
                                               "layer.2.ffn.sum"};
    lnstab_model *m = measure_model(scenes[_i]);
    measure_forward(m, 1, T);
    measure_backward(m, T);
    assert_near("coherence", 0, measure(m, "meanfield.coherence", "").measured,
                cosine(grad_of(m, behind[_i])), 1e-12);
    measure_forward(m, 1, 1);
    measure_backward(m, 1);
    ck_assert_double_nan(measure(m, "meanfield.coherence", "").measured);
    lnstab_model_destroy(m);
}
END_TEST

/* Each token's own ratio; those of no loss are left out. */
START_TEST(test_rank_one) {
    lnstab_model *m = measure_model(scenes[_i]);
    for (int counted = 1; counted <= 2 * T; ++counted) {
        double sum = 0;
        measure_forward(m, 2, T);
        measure_backward(m, counted);
        const double *h = state_of(m, 2 * L, "hidden"), *b = costate_of(m, 2 * L, "branch");
        const double *c = grad_of(m, "output");
        for (int i = 0; i < counted; ++i) {
            sum += dot(H, h + i * H, h + i * H) * dot(D, b + i * D, b + i * D) /
                   dot(D, c + i * D, c + i * D) / counted;
        }
        assert_same("rankone.w_2", (size_t)counted, measure(m, "rankone.w_2", "").measured,
                    sqrt(sum));
    }
    measure_backward(m, 0);
    ck_assert_double_nan(measure(m, "rankone.w_2", "").measured);
    lnstab_model_destroy(m);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("gradient_measures");
    TCase *cases = tcase_create("gradient_measures");
    tcase_add_loop_test(cases, test_loss_of_a_sequence, 0, SCENES);
    tcase_add_loop_test(cases, test_loss_of_one_token, 0, SCENES);
    tcase_add_loop_test(cases, test_coherence, 0, SCENES);
    tcase_add_loop_test(cases, test_rank_one, 0, SCENES);
    suite_add_tcase(suite, cases);
    return run_suite(suite);
}
