/* analysis/lemma_measures.c: what the lemmas say of, against the statements entry by entry. */

#include "analysis/lemma_measures.h"

#include "support/main.h"
#include "unit/measure_fixture.h"

enum { D = MEASURE_D, H = MEASURE_H, T = MEASURE_T, L = MEASURE_L, ROWS = 2 * T };

static const char *const scenes[] = {
    "placement=peri layer.2.norm_res=1", "placement=post norm=rms eps=1", "placement=pre eps=0",
    "placement=output-norm eps=0.1 ffn.norm_in=1", "placement=peri norm=rms eps=0 kappa=3"};

enum { SCENES = sizeof scenes / sizeof *scenes };

static lnstab_model *scene_model(int i) {
    lnstab_model *m = measure_model(scenes[i]);
    measure_forward(m, 2, T);
    return m;
}

static double square(int n, const double *x) {
    return dot((size_t)n, x, x);
}

/* ||A||_2 of a D x D matrix, by a thousand steps of A^T A: no gap of its singular values is needed to come
 * within 1e-12 of the largest that is as far from the next as these are. */
static double spectral_norm(double a[D][D]) {
    double v[D], w[D], norm = 0;
    for (int i = 0; i < D; ++i) {
        v[i] = 1 + 0.1 * i * i;
    }
    for (int step = 0; step < 2000; ++step) {
        for (int i = 0; i < D; ++i) {
            w[i] = dot(D, a[i], v);
        }
        norm = sqrt(square(D, w) / square(D, v));
        for (int j = 0; j < D; ++j) {
            v[j] = 0;
            for (int i = 0; i < D; ++i) {
                v[j] += a[i][j] * w[i];
            }
        }
        const double size = sqrt(square(D, v));
        for (int j = 0; size > 0 && j < D; ++j) {
            v[j] /= size;
        }
    }
    return norm;
}

/* J of a norm at x: entry i, j is gamma_i/s (P_ij - y_i y_j/(d s^2)). *root is s. */
static void norm_jacobian(const lnstab_model *m, const double *gamma, const double *x,
                          double a[D][D], double *root) {
    const int centred = m->spec.norm == LNSTAB__NORM_LAYER;
    double y[D], mean = 0;
    for (int i = 0; i < D; ++i) {
        mean += centred * x[i] / D;
    }
    for (int i = 0; i < D; ++i) {
        y[i] = x[i] - mean;
    }
    const double s = sqrt(square(D, y) / D + m->spec.eps);
    for (int i = 0; i < D; ++i) {
        for (int j = 0; j < D; ++j) {
            a[i][j] = gamma[i] / s * ((i == j) - centred * 1.0 / D - y[i] * y[j] / (D * s * s));
        }
    }
    *root = s;
}

/* The largest of both over the rows of one norm. */
static void of_norm(lnstab_model *m, const double *gamma, const double *x, double *exact,
                    double *printed) {
    double largest = 0, a[D][D], s;
    for (int e = 0; e < D; ++e) {
        largest = fmax(largest, fabs(gamma[e]));
    }
    for (int i = 0; i < ROWS; ++i, x += D) {
        norm_jacobian(m, gamma, x, a, &s);
        const double norm = spectral_norm(a);
        *exact = fmax(*exact, norm * s / largest);
        *printed = fmax(*printed, norm * sqrt(square(D, x) / D));
    }
}

/* Both of a sublayer; 0 where it has no norm. */
static void norms_of(lnstab_model *m, int k, double *exact, double *printed) {
    static const char *const norms[][2] = {
        {"norm_in.gamma", "in"}, {"norm_out.gamma", "branch"}, {"norm_res.gamma", "sum"}};
    char name[64];
    *exact = *printed = 0;
    if (k > 2 * L) {
        if (m->spec.final_norm) {
            of_norm(m, data_of(m, "norm_final.gamma"), data_of(m, stream_name(2 * L)), exact,
                    printed);
        }
        return;
    }
    for (int i = 0; i < 3; ++i) {
        snprintf(name, sizeof name, "layer.%d.%s.%s", (k + 1) / 2, k % 2 ? "attn" : "ffn",
                 norms[i][0]);
        if (lnstab_model_tensor(m, name)) {
            of_norm(m, data_of(m, name), state_of(m, k, norms[i][1]), exact, printed);
        }
    }
}

START_TEST(test_norms) {
    lnstab_model *m = scene_model(_i);
    for (int k = 1; k <= 2 * L + 1; ++k) {
        double exact, printed, value = -77;
        char arguments[32];
        norms_of(m, k, &exact, &printed);
        snprintf(arguments, sizeof arguments, "sublayer=%d", k);
        if (exact > 0) {
            assert_same("exact", (size_t)k, measure(m, "lemma3.exact", "%s", arguments).measured,
                        exact);
            assert_same("printed", (size_t)k,
                        measure(m, "lemma3.printed", "%s", arguments).measured, printed);
            ck_assert_double_eq(measure(m, "lemma3.exact", "%s", arguments).stated, 1);
        } else {
            ck_assert_int_eq(lnstab_claim_measure(m, "lemma3.exact", arguments, &value, &value),
                             LNSTAB_ERROR_UNAVAILABLE);
            ck_assert_double_eq(value, -77);
        }
    }
    lnstab_model_destroy(m);
}
END_TEST

/* gamma = 1, d >= 3: ||J||_2 = 1/s; and the printed form fails where the mean is far from 0. */
START_TEST(test_norms_with_gamma_1) {
    lnstab_model *m = measure_model("placement=pre");
    double x[2 * D];
    lnstab__model_init(m, 5);
    for (int i = 0; i < 2 * D; ++i) {
        x[i] = 10 + sin(i);
    }
    ck_good(lnstab_model_message(m), lnstab_model_forward_embedded(m, 1, 2, x, NULL));
    assert_same("exact", 0, measure(m, "lemma3.exact", "sublayer=1").measured, 1);
    ck_assert_double_gt(measure(m, "lemma3.printed", "sublayer=1").measured, 10);
    lnstab_model_destroy(m);
}
END_TEST

/* The map itself, entry by entry. */
START_TEST(test_projection) {
    lnstab_model *m = scene_model(_i);
    for (int k = 1; k <= 2 * L + 1; ++k) {
        const double *x = data_of(m, stream_name(k));
        double most = 0, a[D][D];
        for (int row = 0; row < ROWS; ++row, x += D) {
            for (int i = 0; i < D; ++i) {
                for (int j = 0; j < D; ++j) {
                    a[i][j] = (i == j) - x[i] * x[j] / square(D, x);
                }
            }
            most = fmax(most, spectral_norm(a));
        }
        const struct sides s = measure(m, "lemma4.projection", "sublayer=%d", k);
        assert_same("projection", (size_t)k, s.measured, most);
        ck_assert_double_eq(s.stated, 1);
    }
    lnstab_model_destroy(m);
}
END_TEST

/* Of n numbers, the share above limit. */
static double share_above(int n, const double *y, double limit) {
    double count = 0;
    for (int i = 0; i < n; ++i) {
        count += y[i] > limit;
    }
    return count / n;
}

START_TEST(test_shares) {
    lnstab_model *m = scene_model(_i);
    const double *x = state_of(m, 2 * L, "sum"), *in = data_of(m, "embed.out");
    double y[ROWS], inputs[ROWS], mean = 0, most = 0;
    for (int i = 0; i < ROWS; ++i) {
        y[i] = square(D, x + i * D);
        inputs[i] = square(D, in + i * D);
        mean += y[i] / ROWS;
        most = fmax(most, y[i]);
    }
    for (int i = 1; i < 40; ++i) {
        const double level = i / 40.0;
        const struct sides s = measure(m, "lemma5.markov", "level=%.17g", level);
        assert_near("markov", (size_t)i, s.measured, 1 - share_above(ROWS, y, level * mean), 1e-12);
        assert_same("stated", (size_t)i, s.stated, (most - mean) / (most - level * mean));
        ck_assert_double_le(s.measured, s.stated + 1e-12);
        assert_near("input", (size_t)i,
                    measure(m, "definition1.gaussian", "epsilon=%.17g", level).measured,
                    share_above(ROWS, inputs, (1 + level) * D), 0);
        assert_near("input", (size_t)i,
                    measure(m, "definition1.bound", "epsilon=%.17g", level).measured,
                    share_above(ROWS, inputs, (1 + level) * D), 0);
    }
    const struct sides s = measure(m, "definition1.reported", "");
    assert_near("reported", 0, s.measured, share_above(ROWS, y, 1.1 * mean), 0);
    ck_assert_double_eq(s.stated, 0.125);
    lnstab_model_destroy(m);
}
END_TEST

/* Equal tokens, whose mean is computed as more than they are or as less: none is far below it. */
START_TEST(test_shares_of_equal_tokens) {
    static const double levels[] = {0.5, 0.999999999, 1 - 0x1p-53};
    lnstab_model *m = measure_model("placement=none beta=0");
    for (int seed = 0; seed < 40; ++seed) {
        double x[ROWS * D];
        lnstab__draw_normal((struct lnstab__stream){1, LNSTAB__KIND_HOST, (uint32_t)seed}, 0, D, x);
        for (int i = D; i < ROWS * D; ++i) {
            x[i] = x[i - D];
        }
        ck_good(lnstab_model_message(m), lnstab_model_forward_embedded(m, 2, T, x, NULL));
        for (int i = 0; i < 3; ++i) {
            const struct sides s = measure(m, "lemma5.markov", "level=%.17g", levels[i]);
            ck_assert_double_eq(s.measured, 0);
            ck_assert_double_ge(s.stated, 0);
        }
    }
    lnstab_model_destroy(m);
}
END_TEST

/* ||x||^2 as a subnormal number has no digits to tell shares by. */
START_TEST(test_shares_of_squares_that_underflow) {
    lnstab_model *m = measure_model("placement=none beta=0");
    double x[ROWS * D], value = -77;
    for (int i = 0; i < ROWS * D; ++i) {
        x[i] = (i % 5 - 1.5) * 1e-160;
    }
    ck_good(lnstab_model_message(m), lnstab_model_forward_embedded(m, 2, T, x, NULL));
    ck_assert_int_eq(lnstab_claim_measure(m, "lemma5.markov", "level=0.5", &value, &value),
                     LNSTAB_ERROR_UNAVAILABLE);
    ck_assert_double_eq(value, -77);
    lnstab_model_destroy(m);
}
END_TEST

/* a = x/||x|| is the same for any unit of x. */
START_TEST(test_projection_of_any_size) {
    static const double units[] = {0x1p400, 0x1p-700, 0x1p-1040};
    lnstab_model *m = measure_model("placement=none beta=0");
    for (int u = 0; u < 3; ++u) {
        double x[ROWS * D];
        for (int i = 0; i < ROWS * D; ++i) {
            x[i] = (i % 5 - 1.5) * units[u];
        }
        ck_good(lnstab_model_message(m), lnstab_model_forward_embedded(m, 2, T, x, NULL));
        assert_near("projection", (size_t)u, measure(m, "lemma4.projection", "sublayer=1").measured,
                    1, 1e-14);
    }
    lnstab_model_destroy(m);
}
END_TEST

START_TEST(test_hidden) {
    lnstab_model *m = measure_model("placement=pre kappa=0.5 layer.2.gain_w1=3");
    measure_forward(m, 2, T);
    for (int l = 1; l <= L; ++l) {
        const double *h = state_of(m, 2 * l, "hidden"), *x = state_of(m, 2 * l, "f_in");
        const double gain = l == 2 ? 3 : 1, rho = (double)H / D;
        const struct sides s = measure(m, "lemma1.hidden", "layer=%d", l);
        assert_same("hidden", (size_t)l, s.measured, square(ROWS * H, h) / (ROWS * H));
        assert_same("stated", (size_t)l, s.stated,
                    gain * gain * square(ROWS * D, x) / (ROWS * D) / (1 + rho));
    }
    lnstab_model_destroy(m);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("lemma_measures");
    TCase *cases = tcase_create("lemma_measures");
    tcase_add_loop_test(cases, test_norms, 0, SCENES);
    tcase_add_test(cases, test_norms_with_gamma_1);
    tcase_add_loop_test(cases, test_projection, 0, SCENES);
    tcase_add_loop_test(cases, test_shares, 0, SCENES);
    tcase_add_test(cases, test_shares_of_equal_tokens);
    tcase_add_test(cases, test_shares_of_squares_that_underflow);
    tcase_add_test(cases, test_projection_of_any_size);
    tcase_add_test(cases, test_hidden);
    suite_add_tcase(suite, cases);
    return run_suite(suite);
}
