/* Lipschitz constants that hold for any weights are met by some: each of them here by a model built for it. */

#include <math.h>

#include "support/filling.h"
#include "support/main.h"

/* ---- Jacobians and distances ---- */

/* F(u) = u + 10, which N_out does not see and b_2 takes back. */
static double minus_ten(int i, int j, int w) {
    return -ten(i, j, w);
}

static void fill_linear(lnstab_model *m) {
    FILL(m, 1, {".w_v", identity}, {".w_o", identity}, {".w_1", identity}, {".w_2", identity},
         {".b_1", ten}, {".b_2", minus_ten}, {".w_q", zero});
}

/* One token: norms let through what is across it in full. */
START_TEST(test_jacobians) {
    double x[WIDTH];
    lnstab_model *m = design(met_placements[_i]);
    fill_linear(m);
    for (int i = 0; i < WIDTH; ++i) {
        x[i] = sign(i);
    }
    forward(m, 1, 1, x, NULL);
    assert_met(m, "local.jacobian", 2 * LAYERS + 1, 1e-7);
    assert_met(m, "product.jacobian", 2 * LAYERS + 1, 1e-7);
    lnstab_model_destroy(m);
}
END_TEST

/* On a sphere about the mean a norm is a similarity. */
START_TEST(test_transport) {
    double x[2 * WIDTH];
    lnstab_model *m = design(met_placements[_i]);
    fill_linear(m);
    for (int i = 0; i < WIDTH; ++i) {
        x[i] = sign(i);
        x[i + WIDTH] = sign(i / 2);
    }
    forward(m, 2, 1, x, NULL);
    assert_met(m, "transport.paired", 2 * LAYERS + 1, 1e-7);
    lnstab_model_destroy(m);
}
END_TEST

/* Two points that differ along one of the directions. */
START_TEST(test_sliced) {
    double x[2 * WIDTH] = {0};
    lnstab_model *m = design("placement=none");
    fill_linear(m);
    ck_assert_int_eq(lnstab_random_normal(0, 11, 0, WIDTH, x), LNSTAB_OK);
    for (int i = 0; i < WIDTH; ++i) {
        x[i] /= 10;
    }
    forward(m, 2, 1, x, NULL);
    assert_met(m, "transport.sliced", 2 * LAYERS, 1e-7);
    lnstab_model_destroy(m);
}
END_TEST

/* All look at the first token: c = sqrt T. */
START_TEST(test_columns) {
    static const uint8_t keep[] = {1, 0, 0, 0, 1, 0, 0, 0};
    double x[8 * WIDTH] = {0};
    lnstab_model *m = design("placement=none alpha=0 causal=0");
    fill_linear(m);
    x[0] = 1;
    x[1] = 2;
    forward(m, 2, 4, x, keep);
    ck_assert_double_eq_tol(share_of(m, "local.jacobian", "sublayer", 1), 1, 1e-7);
    ck_assert_double_eq_tol(share_of(m, "transport.paired", "sublayer", 1), 1, 1e-7);
    lnstab_model_destroy(m);
}
END_TEST

/* ---- attention whose weights move ---- */

/* Two tokens a and -a, W_V = W_O = I, scores along the second axis. */
static lnstab_model *pair_of_tokens(double bias) {
    double x[2 * WIDTH] = {0};
    lnstab_model *m = design("placement=none alpha=0 causal=0");
    fill_linear(m);
    FILL(m, 1, {".w_k", identity});
    ((double *)data_of(m, "layer.1.attn.b_q"))[1] = bias;
    x[0] = 1;
    x[WIDTH] = -1;
    forward(m, 1, 2, x, NULL);
    return m;
}

/* W_Q = 0, keys pushed by a bias: of c (1 + R key) the second term is met, so that all of it is nearly. */
START_TEST(test_keys) {
    lnstab_model *m = pair_of_tokens(1000 * sqrt(WIDTH));
    const double share = share_of(m, "local.jacobian", "sublayer", 1);
    ck_assert_double_ge(share, 0.99);
    ck_assert_double_le(share, 1);
    lnstab_model_destroy(m);
}
END_TEST

/* Queries and keys cannot both be met: where their part is large, softmax is far from flat, and what is left of
 * the bound is the first of its terms. Two tokens R and -R on a line, W_Q W_K^T along it, m = R^2 M: the bound is
 * 1 + 2 m. */
START_TEST(test_queries_and_keys_are_loose) {
    static const double sizes[] = {0.001, 0.5, 5}, shares[] = {0.999, 0.6966, 0.0911};
    for (int i = 0; i < 3; ++i) {
        const double x[2 * WIDTH] = {[0] = 1, [WIDTH] = -1};
        lnstab_model *m = pair_of_tokens(0);
        ((double *)data_of(m, "layer.1.attn.w_q"))[0] = sizes[i] * sqrt(WIDTH);
        forward(m, 1, 2, x, NULL);
        ck_assert_double_eq_tol(share_of(m, "local.jacobian", "sublayer", 1), shares[i], 2e-4);
        lnstab_model_destroy(m);
    }
}
END_TEST

/* W_K = 0, and b_K is turned by three positions, nearly half a turn: what it is to a query differs between the
 * two tokens that are seen as much as it can. */
START_TEST(test_queries_and_a_turned_bias) {
    static const uint8_t keep[] = {1, 0, 0, 1};
    const double x[4 * WIDTH] = {[0] = 1, [3 * WIDTH] = -1};
    lnstab_model *m = design("placement=none alpha=0 causal=0 positions=rotary");
    fill_linear(m);
    ((double *)data_of(m, "layer.1.attn.w_q"))[1] = 1;
    ((double *)data_of(m, "layer.1.attn.b_k"))[0] = 1000 * sqrt(WIDTH);
    forward(m, 1, 4, x, keep);
    const double share = share_of(m, "local.jacobian", "sublayer", 1);
    ck_assert_double_ge(share, 0.99);
    ck_assert_double_le(share, 1);
    lnstab_model_destroy(m);
}
END_TEST

/* A cap that lets one score of two through makes softmax see b_K. Half of the bound is met: the slopes 1 and 0
 * are 1/2 from their mean. */
START_TEST(test_queries_and_a_capped_bias) {
    const double x[2 * WIDTH] = {[0] = 1, [WIDTH] = -1};
    lnstab_model *m = design("placement=none alpha=0 causal=0 soft_cap=0.01");
    fill_linear(m);
    ((double *)data_of(m, "layer.1.attn.w_q"))[2 * WIDTH + 3] = 1;
    ((double *)data_of(m, "layer.1.attn.b_q"))[1] = sqrt(WIDTH);
    ((double *)data_of(m, "layer.1.attn.w_k"))[1 * WIDTH + 0] = 1;
    ((double *)data_of(m, "layer.1.attn.b_k"))[1] = -1;
    ((double *)data_of(m, "layer.1.attn.b_k"))[2] = 1000 * sqrt(WIDTH);
    forward(m, 1, 2, x, NULL);
    ck_assert_double_eq_tol(share_of(m, "local.jacobian", "sublayer", 1), 0.5, 0.005);
    lnstab_model_destroy(m);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("lipschitz_attained");
    TCase *cases = tcase_create("lipschitz_attained");
    tcase_set_timeout(cases, 30);
    tcase_add_loop_test(cases, test_jacobians, 0, MET_PLACEMENTS);
    tcase_add_loop_test(cases, test_transport, 0, MET_PLACEMENTS);
    tcase_add_test(cases, test_sliced);
    tcase_add_test(cases, test_columns);
    tcase_add_test(cases, test_keys);
    tcase_add_test(cases, test_queries_and_keys_are_loose);
    tcase_add_test(cases, test_queries_and_a_turned_bias);
    tcase_add_test(cases, test_queries_and_a_capped_bias);
    suite_add_tcase(suite, cases);
    return run_suite(suite);
}
