/* Bounds for any weights, inputs, gammas and biases: none is exceeded, whatever a model is made of. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/handles.h"
#include "support/main.h"

enum { WIDTH = 8, LAYERS = 2, BATCH = 2, TOKENS = 5, ROWS = BATCH * TOKENS };

#define SIZES                                                                                      \
    "layers=2 width=8 ffn_width=12 max_batch=2 max_tokens=5 input=embedded dtype=float64 bias=1 "  \
    "keep_states=2 "

/* Is it true of every model up to rounding, and for any gamma? */
static int is_bound(int row) {
    const char *kind = lnstab_table_text("claims", row, "kind");
    return strstr(lnstab_table_text("claims", row, "source"), "derived, after") != NULL &&
           strcmp(lnstab_table_text("claims", row, "name"), "bound.state") != 0 &&
           (strcmp(kind, "inequality") == 0 || strcmp(kind, "identity") == 0);
}

static int holds(const char *relation, double measured, double stated) {
    const double tolerance = 1e-9 * fmax(1, fabs(stated));
    return strcmp(relation, "<=") == 0   ? measured <= stated + tolerance
           : strcmp(relation, ">=") == 0 ? measured >= stated - tolerance
                                         : fabs(measured - stated) <= tolerance;
}

/* Every bound at every place of a model: counts those that there are, fails for one that does not hold. */
static int check_bounds(lnstab_model *m, const char *what, int seen[]) {
    int count = 0;
    for (int row = 0; row < lnstab_table_count("claims"); ++row) {
        const char *name = lnstab_table_text("claims", row, "name");
        const int of_layer = lnstab_table_text("claims", row, "arguments")[0] == 'l';
        for (int k = 1; is_bound(row) && k <= (of_layer ? LAYERS : 2 * LAYERS + 1); ++k) {
            char arguments[40];
            double stated, measured;
            snprintf(arguments, sizeof arguments, "%s=%d", of_layer ? "layer" : "sublayer", k);
            const int32_t status = lnstab_claim_measure(m, name, arguments, &stated, &measured);
            ck_assert_msg(status == LNSTAB_OK || status == LNSTAB_ERROR_UNAVAILABLE, "%s: %s", name,
                          lnstab_model_message(m));
            if (status == LNSTAB_OK && !isnan(measured)) {
                ++count;
                ++seen[row];
                ck_assert_msg(holds(lnstab_table_text("claims", row, "relation"), measured, stated),
                              "%s %s of %s: %.17g, stated %.17g", name, arguments, what, measured,
                              stated);
            }
        }
    }
    return count;
}

/* Weights of Xavier's size times factor, all other parameters random; of a norm's gammas one is 0. */
static void draw(lnstab_model *m, uint64_t seed, double factor) {
    ck_good(lnstab_model_message(m), lnstab_model_init(m, seed));
    perturb(m, seed + 1, 0.3);
    for (int32_t i = 0; i < lnstab_model_tensor_count(m); ++i) {
        const lnstab_tensor *t = lnstab_model_tensor_at(m, i);
        double *x = lnstab_tensor_data(t);
        if (lnstab_tensor_role(t)[0] != 'p') {
            continue;
        }
        for (size_t j = 0; lnstab_tensor_rank(t) == 2 && j < tensor_count(t); ++j) {
            x[j] *= factor;
        }
        if (strstr(lnstab_tensor_name(t), "gamma")) {
            x[seed % WIDTH] = seed % 3 ? -1.5 : 0;
        }
    }
}

/* A forward on inputs about a mean, a backward from a random gradient. */
static void run(lnstab_model *m, uint64_t seed, int masked) {
    static const uint8_t keep[ROWS] = {0, 1, 1, 0, 1, 0, 0, 1, 1, 1};
    double *x = normals(seed, 1, ROWS * WIDTH, LNSTAB_FLOAT64);
    double *g = normals(seed, 2, ROWS * WIDTH, LNSTAB_FLOAT64);
    for (int i = 0; i < ROWS * WIDTH; ++i) {
        x[i] += 0.5;
    }
    ck_good(lnstab_model_message(m),
            lnstab_model_forward_embedded(m, BATCH, TOKENS, x, masked ? keep : NULL));
    ck_good(lnstab_model_message(m), lnstab_model_backward(m, g));
    free(x);
    free(g);
}

static const char *const norms[] = {"norm=layer eps=1e-5", "norm=rms eps=1e-5", "norm=layer eps=0",
                                    "norm=rms eps=0.5"};
static const char *const attentions[] = {"heads=1 causal=0",
                                         "heads=4 causal=1",
                                         "heads=4 kv_heads=2 causal=0 out_proj=0",
                                         "heads=1 causal=1",
                                         "heads=4 kv_heads=1 causal=1",
                                         "heads=2 causal=0 positions=rotary",
                                         "heads=2 soft_cap=2 causal=0"};
static const char *const activations[] = {"relu", "gelu", "silu", "gelu_tanh"};
static const double factors[] = {0.1, 1, 10, 1000};

#define LENGTH(list) (int)(sizeof(list) / sizeof *(list))

static int check_design(const char *placement, int norm, int attention, int seed, int seen[]) {
    char words[500];
    int count = 0;
    lnstab_model *m;
    snprintf(words, sizeof words, SIZES "%s %s %s activation=%s", placement, norms[norm],
             attentions[attention], activations[seed % LENGTH(activations)]);
    m = new_model(words);
    for (int i = 0; i < LENGTH(factors); ++i) {
        draw(m, (uint64_t)(seed + i), factors[i]);
        run(m, (uint64_t)(seed + i), seed % 2);
        count += check_bounds(m, words, seen);
    }
    lnstab_model_destroy(m);
    return count;
}

/* Every placement, every norm and attention. */
START_TEST(test_no_model_exceeds_a_bound) {
    int seen[200] = {0}, seed = 1;
    ck_assert_int_le(lnstab_table_count("claims"), LENGTH(seen));
    for (int place = 0; place < lnstab_table_count("placements"); ++place) {
        char placement[160];
        const char *name = lnstab_table_text("placements", place, "name");
        snprintf(placement, sizeof placement, "placement=%s %s", name,
                 strcmp(name, "custom") == 0
                     ? "norm_in=1 norm_out=1 norm_res=1 alpha=-0.7 beta=-1.3 kappa=0.6 embed_norm=1"
                     : "");
        for (int i = _i; i < LENGTH(norms) * LENGTH(attentions); i += 4, ++seed) {
            check_design(placement, i % LENGTH(norms), i / LENGTH(norms), seed, seen);
        }
    }
    for (int row = 0; row < lnstab_table_count("claims"); ++row) {
        ck_assert_msg(seen[row] > 0 || !is_bound(row) ||
                          (strcmp(lnstab_table_text("claims", row, "name"), "ellipsoid.sum") == 0),
                      "%s was never measured", lnstab_table_text("claims", row, "name"));
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("bounds_claims");
    TCase *cases = tcase_create("bounds_claims");
    tcase_add_loop_test(cases, test_no_model_exceeds_a_bound, 0, 4);
    suite_add_tcase(suite, cases);
    return run_suite(suite);
}
