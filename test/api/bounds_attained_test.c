/* Bounds on states, and on velocities, that hold for any weights are met by some: each of them here by a model
 * built for it. */

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/filling.h"
#include "support/main.h"

/* Every head takes the part along the signs, into its first column, and all W_O put it there again. */
static double take(int i, int j, int w) {
    return i % w == 0 ? sign(j) / sqrt(WIDTH) : 0;
}

static double give(int i, int j, int w) {
    return j % w == 0 ? sign(i) / sqrt(WIDTH) : 0;
}

static double first(int i, int j, int w) {
    return (void)j, i % w == 0;
}

/* Without W_O: each head has its part of the signs. */
static double keep_part(int i, int j, int w) {
    return sign(j) / sqrt(WIDTH) * sign(i) / sqrt(w);
}

/* ---- states ---- */

static const struct {
    const char *words;
    int heads, has_w_o;
} attentions[] = {{"heads=1", 1, 1},
                  {"heads=4", 4, 1},
                  {"heads=4 kv_heads=2 norm=rms", 4, 1},
                  {"heads=4 kv_heads=1 out_proj=0", 4, 0}};

static void fill_along_signs(lnstab_model *m, int attention) {
    const int has_w_o = attentions[attention].has_w_o;
    FILL(m, attentions[attention].heads, {".w_v", has_w_o ? take : keep_part}, {".w_o", give},
         {".w_1", signs}, {".w_2", signs});
}

/* Everything goes along the signs: norms, means of sizes and deviations are all met, biases and all. */
START_TEST(test_states) {
    for (int i = 0; i < 4; ++i) {
        char words[200];
        snprintf(words, sizeof words, "%s %s", met_placements[_i], attentions[i].words);
        lnstab_model *m = design(words);
        fill_along_signs(m, i);
        FILL(m, attentions[i].heads, {".bias", signs}, {".b_o", signs}, {".b_1", one},
             {".b_2", signs}, {".b_v", attentions[i].has_w_o ? first : signs});
        forward_signs(m, 1, 1.5);
        assert_met(m, "forward.norm", 2 * LAYERS + 1, 1e-7);
        assert_met(m, "forward.mean", 2 * LAYERS + 1, 1e-7);
        assert_met(m, "forward.deviation", 2 * LAYERS + 1, 1e-7);
        lnstab_model_destroy(m);
    }
}
END_TEST

static double ten_back(int i, int j, int w) {
    return -10 * signs(i, j, w);
}

/* Two tokens apart, ReLU open for both. */
START_TEST(test_spread) {
    for (int i = 0; i < 4; ++i) {
        char words[200];
        snprintf(words, sizeof words, "%s %s", met_placements[_i], attentions[i].words);
        lnstab_model *m = design(words);
        fill_along_signs(m, i);
        FILL(m, attentions[i].heads, {".b_1", ten}, {".b_2", ten_back});
        forward_signs(m, 2, 1.5);
        /* without norms the bound of states, which knows nothing of biases that cancel, goes into it */
        assert_met(m, "forward.spread", strstr(words, "none") ? 2 : 2 * LAYERS, 1e-7);
        lnstab_model_destroy(m);
    }
}
END_TEST

static double root_two(int i, int j, int w) {
    return (void)i, (void)j, (void)w, sqrt(2);
}

/* Where GELU is steepest. */
START_TEST(test_spread_of_gelu) {
    lnstab_model *m = design("placement=none activation=gelu alpha=0 attn.alpha=1 attn.beta=0");
    FILL(m, 1, {".w_1", signs}, {".w_2", signs}, {".b_1", root_two});
    forward_signs(m, 2, 1e-3);
    ck_assert_double_eq_tol(share_of(m, "forward.spread", "sublayer", 2), 1, 1e-5);
    ck_assert_double_eq_tol(share_of(m, "local.jacobian", "sublayer", 2), 1, 1e-5);
    lnstab_model_destroy(m);
}
END_TEST

/* ---- ellipsoids ---- */

START_TEST(test_ellipsoids) {
    static const char *const words[] = {"placement=pre norm=layer", "placement=pre norm=rms"};
    double x[WIDTH] = {5};
    for (int i = 0; i < 2; ++i) {
        lnstab_model *m = design(words[i]);
        ck_good(lnstab_model_message(m), lnstab_model_init(m, 3));
        perturb(m, 4, 0.5);
        forward(m, 1, 1, x, NULL);
        assert_met(m, "ellipsoid.norm", 2 * LAYERS + 1, 1e-12);
        assert_met(m, "ellipsoid.entry", 1, 1e-12);
        lnstab_model_destroy(m);
    }
}
END_TEST

/* ---- costates ---- */

/* A last FFN with an N_out, whose sum is the output: p is what backward is given. */
static lnstab_model *with_velocity(const char *words) {
    double x[2 * WIDTH];
    lnstab_model *m = design(words);
    ck_good(lnstab_model_message(m), lnstab_model_init(m, 3));
    perturb(m, 4, 0.2);
    for (int i = 0; i < 2 * WIDTH; ++i) {
        x[i] = sin(i);
    }
    forward(m, 1, 2, x, NULL);
    return m;
}

/* gamma p is along (v - bias)/gamma but for a constant, each token's in its own size. */
static void backward_along(lnstab_model *m, double sign) {
    const double *v = data_of(m, "layer.2.ffn.f_out"), *b = data_of(m, "layer.2.ffn.norm_out.bias");
    const double *gamma = data_of(m, "layer.2.ffn.norm_out.gamma");
    double p[2 * WIDTH];
    for (int i = 0; i < 2 * WIDTH; ++i) {
        const int j = i % WIDTH;
        p[i] = (sign * (v[i] - b[j]) / gamma[j] + 3) / gamma[j] * (1 + i / WIDTH);
    }
    ck_good(lnstab_model_message(m), lnstab_model_backward(m, p));
}

START_TEST(test_velocities) {
    lnstab_model *m = with_velocity("placement=output-norm final_norm=0");
    backward_along(m, 1);
    const double k = 2 * LAYERS;
    ck_assert_double_eq_tol(share_of(m, "support.velocity", "sublayer", (int)k), 1, 1e-12);
    ck_assert_double_eq_tol(share_of(m, "hamiltonian.largest", "sublayer", (int)k), 1, 1e-12);
    backward_along(m, -1);
    ck_assert_double_eq_tol(share_of(m, "hamiltonian.smallest", "sublayer", (int)k), 1, 1e-12);
    ck_assert_double_eq_tol(share_of(m, "hamiltonian.alignment", "sublayer", (int)k), 1, 1e-12);
    lnstab_model_destroy(m);
}
END_TEST

/* A costate across the velocity and the ones, where gamma is largest. */
START_TEST(test_gradient_of_w_2) {
    lnstab_model *m = design("placement=output-norm final_norm=0 beta=0.7 heads=1");
    double p[2 * WIDTH] = {0};
    FILL(m, 1, {".w_1", signs}, {".w_2", signs}, {".w_v", identity}, {".w_o", identity});
    double *gamma = data_of(m, "layer.2.ffn.norm_out.gamma");
    gamma[0] = gamma[2] = -3;
    forward_signs(m, 1, 1);
    p[0] = 1;
    p[2] = -1;
    ck_good(lnstab_model_message(m), lnstab_model_backward(m, p));
    ck_assert_double_eq_tol(share_of(m, "peri.w_2", "layer", LAYERS), 1, 1e-12);
    lnstab_model_destroy(m);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("bounds_attained");
    TCase *cases = tcase_create("bounds_attained");
    tcase_set_timeout(cases, 30);
    tcase_add_loop_test(cases, test_states, 0, MET_PLACEMENTS);
    tcase_add_loop_test(cases, test_spread, 0, MET_PLACEMENTS);
    tcase_add_test(cases, test_spread_of_gelu);
    tcase_add_test(cases, test_ellipsoids);
    tcase_add_test(cases, test_velocities);
    tcase_add_test(cases, test_gradient_of_w_2);
    suite_add_tcase(suite, cases);
    return run_suite(suite);
}
