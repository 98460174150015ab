/* The claim bound.state: no weights of the branches exceed it, and some reach it. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "support/handles.h"
#include "support/main.h"

enum { WIDTH = 12, LAYERS = 3, TOKENS = 5 };

#define SIZES                                                                                      \
    "layers=3 width=12 ffn_width=24 heads=1 max_tokens=5 input=embedded dtype=float64 eps=0 "

static const char *const bounded[] = {"placement=peri",
                                      "placement=output-norm beta=0.5 norm=rms",
                                      "placement=post",
                                      "placement=post norm=rms alpha=0.5",
                                      "placement=deepnorm",
                                      "placement=peri layer.1.norm_res=1 ffn.beta=2 attn.alpha=1.5",
                                      "placement=pre layer.2-L.norm_out=1 layer.1.norm_res=1",
                                      "placement=peri embed_norm=1 alpha=0.9*l^0.5"};

static double bound_of(lnstab_config *c, int sublayer, double start) {
    char arguments[96];
    double value = NAN;
    snprintf(arguments, sizeof arguments, "sublayer=%d start=%.17g", sublayer, start);
    return lnstab_claim_predict(c, "bound.state", arguments, &value) == LNSTAB_OK ? value
                                                                                  : INFINITY;
}

/* The largest ||x_i||/sqrt d of n rows. */
static double largest_norm(const double *x, int n) {
    double most = 0;
    for (int i = 0; i < n; ++i) {
        most = fmax(most, array_norm(x + i * WIDTH, LNSTAB_FLOAT64, WIDTH) / sqrt(WIDTH));
    }
    return most;
}

static const double *state(lnstab_model *m, int k) {
    char name[32];
    if (k > 2 * LAYERS) {
        return data_of(m, "output");
    }
    snprintf(name, sizeof name, "layer.%d.%s.out", (k + 1) / 2, k % 2 ? "attn" : "ffn");
    return data_of(m, name);
}

/* Weights times factor; norms stay. */
static void scale(lnstab_model *m, double factor) {
    for (int32_t i = 0; i < lnstab_model_tensor_count(m); ++i) {
        const lnstab_tensor *t = lnstab_model_tensor_at(m, i);
        if (lnstab_tensor_role(t)[0] != 'p' || lnstab_tensor_rank(t) < 2) {
            continue;
        }
        double *w = lnstab_tensor_data(t);
        for (size_t j = 0; j < tensor_count(t); ++j) {
            w[j] *= factor;
        }
    }
}

/* The largest share of the bound, over sublayers that have one; *compared counts them. */
static double largest_share(lnstab_config *c, lnstab_model *m, const double *x, int n,
                            int *compared) {
    const double start = largest_norm(x, n);
    double share = 0;
    ck_good(lnstab_model_message(m), lnstab_model_forward_embedded(m, 1, n, x, NULL));
    for (int k = 1; k <= 2 * LAYERS + 1; ++k) {
        const double bound = bound_of(c, k, start);
        if (isfinite(bound)) {
            share = fmax(share, largest_norm(state(m, k), n) / bound);
            ++*compared;
        }
    }
    return share;
}

START_TEST(test_no_weights_exceed_it) {
    static const double factors[] = {0.1, 1, 10, 1000};
    int compared = 0;
    lnstab_model *m;
    lnstab_config *c = new_config(SIZES "keep_states=1");
    ck_good(lnstab_config_message(c), lnstab_config_set(c, bounded[_i]));
    ck_good(lnstab_config_message(c), lnstab_model_create(c, &m));
    for (uint64_t seed = 1; seed <= 20; ++seed) {
        double *x = normals(seed, 1, TOKENS * WIDTH, LNSTAB_FLOAT64);
        for (size_t i = 0; i < sizeof factors / sizeof *factors; ++i) {
            ck_good(lnstab_model_message(m), lnstab_model_init(m, seed));
            scale(m, factors[i]);
            ck_assert_double_le(largest_share(c, m, x, TOKENS, &compared), 1 + 1e-12);
        }
        free(x);
    }
    ck_assert_int_ge(compared, 20 * 4 * 2);
    lnstab_model_destroy(m);
    lnstab_config_destroy(c);
}
END_TEST

/* W = value I in the first WIDTH columns of rows from row on. */
static void set_diagonal(lnstab_model *m, const char *name, int columns, int row, int column,
                         double value) {
    double *w = data_of(m, name);
    for (int i = 0; i < WIDTH; ++i) {
        w[(row + i) * columns + column + i] = value;
    }
}

/* Branches that give back what they read, F(u) = u: attention of one token with W_V = W_O = I, and an FFN
 * with ReLU(u) - ReLU(-u). Then N_out points where x does, and the bound is met. */
static void make_identities(lnstab_model *m) {
    for (int l = 1; l <= LAYERS; ++l) {
        char name[4][32];
        static const char *const parts[] = {"attn.w_v", "attn.w_o", "ffn.w_1", "ffn.w_2"};
        for (int i = 0; i < 4; ++i) {
            snprintf(name[i], sizeof name[i], "layer.%d.%s", l, parts[i]);
        }
        set_diagonal(m, name[0], WIDTH, 0, 0, 1);
        set_diagonal(m, name[1], WIDTH, 0, 0, 1);
        set_diagonal(m, name[2], WIDTH, 0, 0, 1);
        set_diagonal(m, name[2], WIDTH, WIDTH, 0, -1);
        set_diagonal(m, name[3], 2 * WIDTH, 0, 0, 1);
        set_diagonal(m, name[3], 2 * WIDTH, 0, WIDTH, -1);
    }
}

START_TEST(test_some_weights_reach_it) {
    int compared = 0;
    double x[WIDTH];
    lnstab_config *c = new_config(SIZES "keep_states=1");
    lnstab_model *m;
    ck_good(lnstab_config_message(c), lnstab_config_set(c, bounded[_i]));
    ck_good(lnstab_config_message(c), lnstab_model_create(c, &m));
    make_identities(m);
    for (int i = 0; i < WIDTH; ++i) {
        x[i] = i % 2 ? 1.5 : -1.5; /* mean 0, so that LayerNorm keeps all of it */
    }
    ck_assert_double_eq_tol(largest_share(c, m, x, 1, &compared), 1, 1e-12);
    for (int k = 1; k <= 2 * LAYERS + 1; ++k) {
        const double bound = bound_of(c, k, 1.5);
        if (isfinite(bound)) {
            ck_assert_double_eq_tol(largest_norm(state(m, k), 1), bound, 1e-12 * bound);
        }
    }
    lnstab_model_destroy(m);
    lnstab_config_destroy(c);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("bound");
    TCase *cases = tcase_create("bound");
    const int count = sizeof bounded / sizeof *bounded;
    tcase_add_loop_test(cases, test_no_weights_exceed_it, 0, count);
    tcase_add_loop_test(cases, test_some_weights_reach_it, 0, count);
    suite_add_tcase(suite, cases);
    return run_suite(suite);
}
