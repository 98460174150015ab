/* Bounds for any weights, inputs, gammas and biases: none is exceeded, whatever a model is made of. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/handles.h"
#include "support/main.h"

enum { WIDTH = 8, LAYERS = 2, BATCH = 4, TOKENS = 5, ROWS = BATCH * TOKENS };

#define SIZES                                                                                      \
    "layers=2 width=8 ffn_width=12 max_batch=4 max_tokens=5 input=embedded bias=1 "                \
    "keep_states=2 "

/* Is it true of every model up to rounding, and for any gamma, and does one model tell? */
static int is_bound(int row) {
    const char *kind = lnstab_table_text("claims", row, "kind");
    return strstr(lnstab_table_text("claims", row, "source"), "derived") != NULL &&
           strcmp(lnstab_table_text("claims", row, "name"), "bound.state") != 0 &&
           *lnstab_table_text("claims", row, "needs") &&
           (strcmp(kind, "inequality") == 0 || strcmp(kind, "identity") == 0);
}

/* doc/numerics.md: the tolerances of claims. */
static int holds(const char *relation, double measured, double stated, int32_t dtype) {
    const double tolerance = (dtype == LNSTAB_FLOAT64 ? 1e-9 : 1e-4) * fmax(1, fabs(stated));
    return strcmp(relation, "<=") == 0   ? measured <= stated + tolerance
           : strcmp(relation, ">=") == 0 ? measured >= stated - tolerance
                                         : fabs(measured - stated) <= tolerance;
}

static int32_t dtype_of(lnstab_model *m) {
    return lnstab_tensor_dtype(lnstab_model_tensor_at(m, 0));
}

/* What is about norms of weights takes longer: it is a sweep of its own. */
static int is_costly(int row) {
    const char *needs = lnstab_table_text("claims", row, "needs");
    return strstr(needs, "krylov") || strstr(needs, "branches");
}

static void check_bound(lnstab_model *m, int row, const char *place, int k, const char *what,
                        int seen[]) {
    const char *name = lnstab_table_text("claims", row, "name");
    const char *relation = lnstab_table_text("claims", row, "relation");
    char arguments[40];
    double stated, measured;
    snprintf(arguments, sizeof arguments, "%s=%d", place, k);
    const int32_t status = lnstab_claim_measure(m, name, arguments, &stated, &measured);
    ck_assert_msg(status == LNSTAB_OK || status == LNSTAB_ERROR_UNAVAILABLE, "%s: %s", name,
                  lnstab_model_message(m));
    if (status == LNSTAB_OK && !isnan(measured)) {
        ++seen[row];
        ck_assert_msg(holds(relation, measured, stated, dtype_of(m)),
                      "%s %s of %s: %.17g, stated %.17g", name, arguments, what, measured, stated);
    }
}

/* Every bound of its sweep at places first, first + 2, ... of a model, and behind the last norm. */
static void check_bounds(lnstab_model *m, int costly, int first, const char *what, int seen[]) {
    for (int row = 0; row < lnstab_table_count("claims"); ++row) {
        const int of_layer = lnstab_table_text("claims", row, "arguments")[0] == 'l';
        const char *place = of_layer ? "layer" : "sublayer";
        const int last = of_layer ? LAYERS : 2 * LAYERS + 1;
        for (int k = first; is_bound(row) && is_costly(row) == costly && k <= last; k += 2) {
            check_bound(m, row, place, k, what, seen);
        }
    }
}

/* Weights of Xavier's size times factor, all other parameters random; of a norm's gammas one is 0. */
static void draw(lnstab_model *m, uint64_t seed, double factor) {
    ck_good(lnstab_model_message(m), lnstab_model_init(m, seed));
    perturb(m, seed + 1, 0.3);
    for (int32_t i = 0; i < lnstab_model_tensor_count(m); ++i) {
        const lnstab_tensor *t = lnstab_model_tensor_at(m, i);
        void *x = lnstab_tensor_data(t);
        if (lnstab_tensor_role(t)[0] != 'p') {
            continue;
        }
        for (size_t j = 0; lnstab_tensor_rank(t) == 2 && j < tensor_count(t); ++j) {
            set_entry(x, dtype_of(m), j, factor * entry(x, dtype_of(m), j));
        }
        if (strstr(lnstab_tensor_name(t), "gamma")) {
            set_entry(x, dtype_of(m), seed % WIDTH, seed % 3 ? -1.5 : 0);
        }
    }
}

/* A forward on inputs about a mean, a backward from a random gradient. */
static void run(lnstab_model *m, uint64_t seed, int masked) {
    static const uint8_t keep[ROWS] = {0, 1, 1, 0, 1, 1, 0, 1, 1, 1, 0, 1, 1, 0, 1, 1, 0, 1, 1, 1};
    void *x = normals(seed, 1, ROWS * WIDTH, dtype_of(m));
    void *g = normals(seed, 2, ROWS * WIDTH, dtype_of(m));
    for (size_t i = 0; i < ROWS * WIDTH; ++i) {
        set_entry(x, dtype_of(m), i, entry(x, dtype_of(m), i) + 0.5);
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
static const char custom[] =
    "norm_in=1 norm_out=1 norm_res=1 alpha=-0.7 beta=-1.3 kappa=0.6 embed_norm=1";
static const double factors[] = {0.1, 1, 10, 1000};

#define LENGTH(list) (int)(sizeof(list) / sizeof *(list))

static void check_design(int costly, int place, int norm, int attention, int seed, int seen[]) {
    char words[600];
    const char *name = lnstab_table_text("placements", place, "name");
    const double factor = factors[seed % LENGTH(factors)];
    snprintf(words, sizeof words, SIZES "placement=%s %s %s %s activation=%s krylov=%d dtype=%s",
             name, strcmp(name, "custom") == 0 ? custom : "", norms[norm], attentions[attention],
             activations[seed / 4 % LENGTH(activations)], costly ? 8 : 0,
             seed % 3 ? "float64" : "float32");
    lnstab_model *m = new_model(words);
    snprintf(words + strlen(words), 40, ", weights times %g", factor);
    draw(m, (uint64_t)seed, factor);
    run(m, (uint64_t)seed, seed / 2 % 2);
    check_bounds(m, costly, 1 + seed % 2, words, seen);
    lnstab_model_destroy(m);
}

static void assert_all_seen(int costly, const int seen[]) {
    for (int row = 0; row < lnstab_table_count("claims"); ++row) {
        const char *name = lnstab_table_text("claims", row, "name");
        ck_assert_msg(seen[row] > 0 || !is_bound(row) || is_costly(row) != costly ||
                          strcmp(name, "ellipsoid.sum") == 0, /* LayerNorm only */
                      "%s was never measured", name);
    }
}

/* A norm each: every placement and attention, with different weights. */
START_TEST(test_no_model_exceeds_a_bound) {
    int seen[200] = {0}, seed = _i;
    ck_assert_int_le(lnstab_table_count("claims"), LENGTH(seen));
    for (int place = 0; place < lnstab_table_count("placements"); ++place) {
        for (int i = 0; i < 4 * LENGTH(attentions); ++i) {
            check_design(0, place, _i, i % LENGTH(attentions), ++seed, seen);
        }
    }
    assert_all_seen(0, seen);
}
END_TEST

START_TEST(test_no_model_exceeds_what_its_weights_bound) {
    int seen[200] = {0}, seed = _i;
    for (int place = 0; place < lnstab_table_count("placements"); ++place) {
        for (int i = 0; i < LENGTH(attentions); ++i) {
            check_design(1, place, _i, i, ++seed, seen);
        }
    }
    assert_all_seen(1, seen);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("bounds_claims");
    TCase *cases = tcase_create("bounds_claims");
    tcase_set_timeout(cases, 60);
    tcase_add_loop_test(cases, test_no_model_exceeds_a_bound, 0, LENGTH(norms));
    tcase_add_loop_test(cases, test_no_model_exceeds_what_its_weights_bound, 0, LENGTH(norms));
    suite_add_tcase(suite, cases);
    return run_suite(suite);
}
