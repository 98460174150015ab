/* analysis/identity_claims.c: identities of gradients, and each of their sides against its statement. */

#include "analysis/claims.h"

#include "support/main.h"
#include "unit/measure_fixture.h"

enum { D = MEASURE_D, H = MEASURE_H, T = MEASURE_T, L = MEASURE_L, ROWS = 2 * T };

static const char *const scenes[] = {
    "placement=pre",
    "placement=peri eps=0.3 beta=0.7",
    "placement=peri norm=rms eps=1 attn.beta=-2",
    "placement=output-norm eps=0.1 out_proj=0 norm_res=1",
    "placement=post out_proj=0 heads=3 kv_heads=1 causal=1 gain_qk=1",
    "placement=deepnorm bias=0 activation=gelu gated=1",
    "placement=peri out_proj=0 bias=0 eps=1e-2"};

enum { SCENES = sizeof scenes / sizeof *scenes };

static lnstab_model *scene_model(int i) {
    lnstab_model *m = measure_model(scenes[i]);
    measure_forward(m, 2, T);
    measure_backward(m, ROWS - 1);
    return m;
}

/* sum_i ||a_i|| ||b_i||. */
static double largest_sum(size_t width, const double *a, const double *b) {
    double sum = 0;
    for (int i = 0; i < ROWS; ++i) {
        sum += sqrt(dot(width, a + (size_t)i * width, a + (size_t)i * width) *
                    dot(D, b + i * D, b + i * D));
    }
    return sum;
}

START_TEST(test_rank_one) {
    lnstab_model *m = scene_model(_i);
    for (int l = 1; l <= L; ++l) {
        const double *h = state_of(m, 2 * l, "hidden"), *b = costate_of(m, 2 * l, "branch");
        double sum = 0;
        for (int i = 0; i < ROWS; ++i) {
            for (int j = 0; j < ROWS; ++j) {
                sum += dot(H, h + i * H, h + j * H) * dot(D, b + i * D, b + j * D);
            }
        }
        const double norm = array_norm(costate_of(m, 2 * l, "w_2"), LNSTAB_FLOAT64, D * H);
        const double size = largest_sum(H, h, b);
        const struct sides s = measure(m, "rankone.identity", "layer=%d", l);
        assert_same("rank one", (size_t)l, s.measured, norm * norm / (size * size));
        assert_same("sum", (size_t)l, s.stated, sum / (size * size));
        assert_near("identity", (size_t)l, s.measured, s.stated, 1e-9);
        ck_assert(s.measured > 0.01 && s.measured < 0.99);
    }
    lnstab_model_destroy(m);
}
END_TEST

/* <x, dx> of a parameter, 0 if there is none. */
static double along(lnstab_model *m, int k, const char *name) {
    char text[64];
    const lnstab_tensor *t = lnstab_model_tensor(m, of_sublayer(k, name, text));
    return t ? dot(tensor_count(t), lnstab_tensor_data(t), lnstab_tensor_grad(t)) : 0;
}

/* gamma_j (x_j - mean) eps/s^3 of N_out, x_j without one. */
static double left_entry(lnstab_model *m, const double *gamma, const double *x, int j) {
    double mean = 0, square = 0;
    for (int e = 0; e < D && m->spec.norm == LNSTAB__NORM_LAYER; ++e) {
        mean += x[e] / D;
    }
    for (int e = 0; e < D; ++e) {
        square += (x[e] - mean) * (x[e] - mean) / D;
    }
    return gamma ? gamma[j] * (x[j] - mean) * m->spec.eps / pow(square + m->spec.eps, 1.5) : x[j];
}

static double left_of(lnstab_model *m, int k) {
    char text[64];
    const lnstab_tensor *t = lnstab_model_tensor(m, of_sublayer(k, "norm_out.gamma", text));
    const double *gamma = t ? lnstab_tensor_data(t) : NULL;
    const double *x = state_of(m, k, "branch"), *p = costate_of(m, k, "sum");
    double sum = 0;
    for (int i = 0; i < ROWS; ++i) {
        for (int j = 0; j < D; ++j) {
            sum += p[i * D + j] * left_entry(m, gamma, x + i * D, j);
        }
    }
    return sum;
}

START_TEST(test_euler) {
    lnstab_model *m = scene_model(_i);
    for (int k = 1; k <= 2 * L; ++k) {
        const int is_v = k % 2 && !m->spec.out_proj;
        const char *w = k % 2 == 0 ? "w_2" : is_v ? "w_v" : "w_o";
        const char *b = k % 2 == 0 ? "b_2" : is_v ? "b_v" : "b_o";
        const double size = largest_sum(D, state_of(m, k, "branch"), costate_of(m, k, "branch"));
        const struct sides s = measure(m, "scale.euler", "sublayer=%d", k);
        assert_near("measured", (size_t)k, s.measured, (along(m, k, w) + along(m, k, b)) / size,
                    1e-12);
        assert_near("stated", (size_t)k, s.stated, m->sublayers[k - 1].beta * left_of(m, k) / size,
                    1e-12);
        assert_near("identity", (size_t)k, s.measured, s.stated, 1e-9);
        ck_assert_double_gt(fabs(s.measured), 1e-9);
    }
    double value = -77;
    ck_assert_int_eq(lnstab_claim_measure(m, "scale.euler", "sublayer=5", &value, &value),
                     LNSTAB_ERROR_UNAVAILABLE);
    ck_assert_double_eq(value, -77);
    lnstab_model_destroy(m);
}
END_TEST

/* In peri a branch's size does not matter: what is left is of eps. */
START_TEST(test_euler_without_eps) {
    lnstab_model *m = measure_model("placement=peri eps=0");
    measure_forward(m, 2, T);
    measure_backward(m, ROWS);
    for (int k = 1; k <= 2 * L; ++k) {
        const struct sides s = measure(m, "scale.euler", "sublayer=%d", k);
        assert_near("measured", (size_t)k, s.measured, 0, 1e-12);
        assert_near("stated", (size_t)k, s.stated, 0, 0);
    }
    lnstab_model_destroy(m);
}
END_TEST

/* Sums are in double, what is summed is float32: sides of order 1 differ by some hundred roundings of it. */
START_TEST(test_float32) {
    for (int i = 0; i < SCENES; ++i) {
        char words[200];
        snprintf(words, sizeof words, "%s dtype=float32", scenes[i]);
        lnstab_model *m = measure_model(words);
        measure_forward(m, 2, T);
        measure_backward(m, ROWS);
        for (int k = 1; k <= 2 * L; ++k) {
            const struct sides s = measure(m, "scale.euler", "sublayer=%d", k);
            assert_near("euler", (size_t)k, s.measured, s.stated, 1e-5);
            const struct sides one = measure(m, "rankone.identity", "layer=%d", (k + 1) / 2);
            assert_near("rank one", (size_t)k, one.measured, one.stated, 1e-5);
        }
        lnstab_model_destroy(m);
    }
}
END_TEST

/* Two tokens whose gradients of W_2 are opposite: what is left of them is rounding, and no side is more. */
START_TEST(test_gradients_that_cancel) {
    lnstab_model *m = measure_model("placement=none beta=0 causal=1");
    const double x[2 * D] = {1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6};
    double d[2 * D];
    for (int i = 0; i < 2 * D; ++i) {
        d[i] = (i < D ? 0.1 : -0.1) * (i % D + 1);
    }
    m->sublayers[1].beta = m->sublayers[3].beta = 1;
    ck_good(lnstab_model_message(m), lnstab_model_forward_embedded(m, 1, 2, x, NULL));
    ck_good(lnstab_model_message(m), lnstab_model_backward(m, d));
    const struct sides s = measure(m, "rankone.identity", "layer=2");
    const struct sides e = measure(m, "scale.euler", "sublayer=4");
    assert_near("rank one", 2, s.measured, 0, 1e-15);
    assert_near("rank one", 2, s.stated, 0, 1e-15);
    assert_near("euler", 4, e.measured, 0, 1e-15);
    assert_near("euler", 4, e.stated, 0, 1e-15);
    lnstab_model_destroy(m);
}
END_TEST

/* Products that underflow are as good as none. */
START_TEST(test_products_that_underflow) {
    static const char *const words[] = {"placement=none dtype=float64",
                                        "placement=none dtype=float32"};
    static const double units[] = {1e-150, 1e-30};
    for (int i = 0; i < 2; ++i) {
        lnstab_model *m = measure_model(words[i]);
        measure_forward(m, 1, 2);
        double wide[2 * D];
        float narrow[2 * D];
        for (int j = 0; j < 2 * D; ++j) {
            wide[j] = (j % 5 - 1.5) * units[i];
            narrow[j] = (float)wide[j];
        }
        ck_good(lnstab_model_message(m),
                lnstab_model_backward(m, i ? (const void *)narrow : (const void *)wide));
        double value = -77;
        ck_assert_int_eq(lnstab_claim_measure(m, "rankone.identity", "layer=2", &value, &value),
                         LNSTAB_ERROR_UNAVAILABLE);
        ck_assert_int_eq(lnstab_claim_measure(m, "scale.euler", "sublayer=4", &value, &value),
                         LNSTAB_ERROR_UNAVAILABLE);
        ck_assert_double_eq(value, -77);
        lnstab_model_destroy(m);
    }
}
END_TEST

/* LayerNorm of two entries leaves eps/s^2 of a costate: here rounding. */
START_TEST(test_costates_that_n_out_takes_away) {
    static const struct {
        const char *words;
        int is_told;
    } rows[] = {{"placement=peri width=2 heads=1 eps=1", 1},
                {"placement=peri width=2 heads=1 eps=1e-9", 0},
                {"placement=peri eps=1e-9", 1}};
    for (int i = 0; i < 3; ++i) {
        lnstab_model *m = measure_model(rows[i].words);
        measure_forward(m, 2, T);
        measure_backward(m, ROWS);
        double stated = -77, measured = -77;
        const int32_t status =
            lnstab_claim_measure(m, "scale.euler", "sublayer=2", &stated, &measured);
        ck_assert_int_eq(status, rows[i].is_told ? LNSTAB_OK : LNSTAB_ERROR_UNAVAILABLE);
        assert_near(rows[i].words, 2, measured, stated, 1e-9);
        lnstab_model_destroy(m);
    }
}
END_TEST

/* Hidden vectors whose squares underflow, beside costates that make up for it. */
START_TEST(test_vectors_that_underflow) {
    lnstab_model *m = measure_model("placement=none beta=1");
    struct lnstab__ffn *ffn = &m->sublayers[3].of.ffn;
    double *w = ffn->w_1.weight.data, *b = ffn->w_1.bias.data, d[2 * D], value = -77;
    for (size_t i = 0; i < ffn->w_1.in * ffn->w_1.out; ++i) {
        w[i] *= 1e-170;
    }
    memset(b, 0, ffn->w_1.out * sizeof *b);
    for (int j = 0; j < 2 * D; ++j) {
        d[j] = (j % 5 - 1.5) * 1e100;
    }
    measure_forward(m, 1, 2);
    ck_good(lnstab_model_message(m), lnstab_model_backward(m, d));
    ck_assert_int_eq(lnstab_claim_measure(m, "rankone.identity", "layer=2", &value, &value),
                     LNSTAB_ERROR_UNAVAILABLE);
    ck_assert_double_eq(value, -77);
    lnstab_model_destroy(m);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("identity_claims");
    TCase *cases = tcase_create("identity_claims");
    tcase_add_loop_test(cases, test_rank_one, 0, SCENES);
    tcase_add_loop_test(cases, test_euler, 0, SCENES);
    tcase_add_test(cases, test_euler_without_eps);
    tcase_add_test(cases, test_float32);
    tcase_add_test(cases, test_gradients_that_cancel);
    tcase_add_test(cases, test_products_that_underflow);
    tcase_add_test(cases, test_vectors_that_underflow);
    tcase_add_test(cases, test_costates_that_n_out_takes_away);
    suite_add_tcase(suite, cases);
    return run_suite(suite);
}
