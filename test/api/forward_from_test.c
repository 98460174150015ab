/* A forward that goes on from a state of the stream: what is behind it, and what is refused before it. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/handles.h"
#include "support/main.h"
#include "support/options.h"

enum { LAYERS = 3, B = 2, T = 4, D = 6, COUNT = B * T * D };
#define SMALL                                                                                      \
    "layers=3 width=6 heads=2 ffn_width=5 vocab=7 max_batch=2 max_tokens=4 causal=1 "              \
    "positions=learned embed_norm=1 "

static const int32_t tokens[B * T] = {0, 6, 3, 3, 1, 2, 5, 4},
                                targets[B * T] = {1, 1, 0, -100, 6, 5, 2, 3};
static const uint8_t keep[B * T] = {1, 1, 0, 1, 1, 1, 1, 0};

static const char *stream_name(int position) {
    static char name[32];
    if (position == 0 || position > 2 * LAYERS) {
        return position ? "output" : "embed.out";
    }
    snprintf(name, sizeof name, "layer.%d.%s.out", (position + 1) / 2,
             position % 2 ? "attn" : "ffn");
    return name;
}

static lnstab_model *whole_model(const char *assignments) {
    lnstab_model *m = new_model(assignments);
    double loss;
    ck_good(lnstab_model_message(m), lnstab_model_init(m, 3));
    perturb(m, 4, 0.3);
    ck_good(lnstab_model_message(m), lnstab_model_forward(m, B, T, tokens, keep));
    ck_good(lnstab_model_message(m), lnstab_model_loss(m, targets, &loss, NULL));
    ck_good(lnstab_model_message(m), lnstab_model_backward(m, NULL));
    return m;
}

static void same_bits(lnstab_model *a, lnstab_model *b, const char *name) {
    const lnstab_tensor *t = lnstab_model_tensor(a, name);
    ck_assert_msg(memcmp(lnstab_tensor_data(t), data_of(b, name),
                         tensor_count(t) * element_size(lnstab_tensor_dtype(t))) == 0,
                  "%s", name);
}

static void same_gradients(lnstab_model *whole, lnstab_model *m, int layer) {
    static const char *const parts[] = {"attn.w_q", "attn.b_v", "attn.w_o", "ffn.w_1", "ffn.w_2"};
    char name[32];
    for (int l = layer; l <= LAYERS; ++l) {
        for (size_t i = 0; i < sizeof parts / sizeof *parts; ++i) {
            snprintf(name, sizeof name, "layer.%d.%s", l, parts[i]);
            const lnstab_tensor *t = lnstab_model_tensor(whole, name);
            ck_assert_msg(memcmp(lnstab_tensor_grad(t), grad_of(m, name),
                                 tensor_count(t) * element_size(lnstab_tensor_dtype(t))) == 0,
                          "%s", name);
        }
    }
}

/* m has done nothing before it: a state below start would be 0. */
static void compare_from(lnstab_model *whole, lnstab_model *m, int start, int layer) {
    double loss, wanted;
    ck_good(lnstab_model_message(m),
            lnstab_model_forward_from(m, stream_name(start), B, T,
                                      data_of(whole, stream_name(start)), keep));
    for (int position = start; position <= 2 * LAYERS + 1; ++position) {
        same_bits(whole, m, stream_name(position));
    }
    same_bits(whole, m, "logits");
    ck_good(lnstab_model_message(m), lnstab_model_loss(m, targets, &loss, NULL));
    ck_good(lnstab_model_message(whole), lnstab_model_loss(whole, targets, &wanted, NULL));
    ck_assert_double_eq(loss, wanted);
    if (layer <= LAYERS) {
        ck_good(lnstab_model_message(m), lnstab_model_zero_grads(m));
        ck_good(lnstab_model_message(m), lnstab_model_backward(m, NULL));
        same_gradients(whole, m, layer);
    }
}

START_TEST(test_what_is_behind_a_state_is_as_in_the_whole) {
    static const char *const kinds[] = {"placement=post", "placement=pre dtype=float64",
                                        "placement=peri", "placement=pre recompute=blocks",
                                        "placement=none embed_norm=0"};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i) {
        char words[256], part[300];
        snprintf(words, sizeof words, SMALL "%s", kinds[i]);
        lnstab_model *whole = whole_model(words);
        for (int start = 0; start <= 2 * LAYERS + 1; ++start) {
            const int layer = (start + 1) / 2 + 1; /* the first whose input start does not follow */
            snprintf(part, sizeof part, "%s gradients_from=%d", words, layer <= LAYERS ? layer : 0);
            lnstab_model *m = new_sharing_model(part, whole);
            compare_from(whole, m, start, layer);
            lnstab_model_destroy(m);
        }
        lnstab_model_destroy(whole);
    }
}
END_TEST

/* ---- with every combination of three options ---- */

static void same_tensor(const struct option_model *whole, const struct option_model *part,
                        const char *name, int is_gradient) {
    const lnstab_tensor *a = lnstab_model_tensor(whole->m, name);
    const lnstab_tensor *b = lnstab_model_tensor(part->m, name);
    ck_assert_msg(memcmp(is_gradient ? lnstab_tensor_grad(a) : lnstab_tensor_data(a),
                         is_gradient ? lnstab_tensor_grad(b) : lnstab_tensor_data(b),
                         tensor_count(a) * sizeof(double)) == 0,
                  "%s: %s", part->words, name);
}

/* The second half of a forward, and its last W_2's gradient alone. */
static void compare_halves(const int8_t *row, const char *recompute, const char *start) {
    char more[80];
    snprintf(more, sizeof more, "%s gradients_from=2 gradients_of=w_2", recompute);
    struct option_model whole = option_model_new(row, 2, recompute),
                        part = option_model_new(row, 2, more);
    double *u = normals(5, 2, whole.count, LNSTAB_FLOAT64);
    option_loss(&whole);
    ck_good(whole.words, lnstab_model_backward(whole.m, u));
    ck_good(part.words, lnstab_model_forward_from(part.m, start, OPTION_BATCH, OPTION_TOKENS,
                                                  data_of(whole.m, start), whole.keep));
    ck_good(part.words, lnstab_model_backward(part.m, u));
    same_tensor(&whole, &part, "logits", 0);
    same_tensor(&whole, &part, "layer.2.ffn.w_2", 1);
    free(u);
    option_model_free(&whole);
    option_model_free(&part);
}

START_TEST(test_halves_of_every_option) {
    enum { MOST = 300 };
    static const char *const recomputes[] = {"recompute=none", "recompute=attention",
                                             "recompute=nonlinear", "recompute=blocks"};
    static const char *const starts[] = {"layer.1.ffn.out", "layer.1.attn.out", "layer.2.attn.out"};
    static int8_t rows[MOST][COVERING_FACTORS];
    const struct covering c = options_covering(3);
    const int count = covering_rows(&c, rows, MOST);
    ck_assert_int_lt(count, MOST);
    for (int i = 0; i < count; ++i) {
        compare_halves(rows[i], recomputes[i % 4], starts[i % 3]);
    }
}
END_TEST

/* Activation patching: states before the one that is replaced stay, and one may be changed in its place. */
START_TEST(test_a_state_is_replaced) {
    lnstab_model *m = whole_model(SMALL "placement=pre keep_states=2");
    float *x = data_of(m, "layer.2.ffn.in"), *logits = data_of(m, "logits");
    float below[COUNT], first = logits[0], other[COUNT], patched;
    memcpy(below, data_of(m, "layer.1.ffn.out"), sizeof below);
    memcpy(other, x, sizeof other);
    other[0] += 1;
    ck_good(lnstab_model_message(m),
            lnstab_model_forward_from(m, "layer.2.attn.out", B, T, other, keep));
    patched = logits[0];
    ck_assert_float_ne(patched, first);
    ck_assert_mem_eq(below, data_of(m, "layer.1.ffn.out"), sizeof below);
    x[0] -= 1;
    ck_good(lnstab_model_message(m), lnstab_model_forward_from(m, "layer.2.ffn.in", B, T, x, keep));
    ck_assert_mem_eq(below, data_of(m, "layer.1.ffn.out"), sizeof below);
    x[0] += 1;
    ck_good(lnstab_model_message(m), lnstab_model_forward_from(m, "layer.2.ffn.in", B, T, x, keep));
    ck_assert_float_eq(logits[0], patched);
    lnstab_model_destroy(m);
}
END_TEST

START_TEST(test_what_goes_below_the_start_is_refused) {
    static const char refused[] = "the last forward went on from layer.2.attn.out, which comes "
                                  "after where backward ends: set gradients_from";
    lnstab_model *m = whole_model(SMALL "placement=pre keep_states=2 krylov=4");
    float x[COUNT];
    double loss, value, error, sigma, residual;
    memcpy(x, data_of(m, "layer.2.attn.out"), sizeof x);
    ck_good(lnstab_model_message(m),
            lnstab_model_forward_from(m, "layer.2.attn.out", B, T, x, keep));
    ck_good(lnstab_model_message(m), lnstab_model_loss(m, targets, &loss, NULL));
    expect_message(m, lnstab_model_backward(m, NULL), LNSTAB_ERROR_SEQUENCE, refused);
    expect_message(m, lnstab_model_backward(m, x), LNSTAB_ERROR_SEQUENCE, refused);
    expect_message(m, lnstab_model_jvp(m, "layer.2.attn.in", "output", x, x), LNSTAB_ERROR_SEQUENCE,
                   "the last forward went on from layer.2.attn.out, which comes after "
                   "layer.2.attn.in");
    ck_assert_int_eq(lnstab_model_vjp(m, "embed.out", "embed.out", x, x), LNSTAB_ERROR_SEQUENCE);
    ck_assert_int_eq(
        lnstab_model_jacobian_frobenius(m, "embed.out", "output", 0, 1, 2, 1, &value, &error),
        LNSTAB_ERROR_SEQUENCE);
    ck_assert_int_eq(lnstab_model_singular_values(m, "embed.out", "output", 0, 1, 1, &sigma,
                                                  &residual, NULL, NULL),
                     LNSTAB_ERROR_SEQUENCE);
    ck_assert_int_eq(lnstab_claim_measure(m, "definition1.reported", "", &value, &error),
                     LNSTAB_ERROR_UNAVAILABLE);
    ck_good(lnstab_model_message(m), lnstab_model_jvp(m, "layer.2.ffn.in", "output", x, x));
    ck_good(lnstab_model_message(m), lnstab_model_forward(m, B, T, tokens, keep));
    ck_good(lnstab_model_message(m), lnstab_model_jvp(m, "embed.out", "output", x, x));
    ck_good(lnstab_model_message(m), lnstab_model_loss(m, targets, &loss, NULL));
    ck_good(lnstab_model_message(m), lnstab_model_backward(m, NULL));
    lnstab_model_destroy(m);
}
END_TEST

/* gradients_from=2 ends at the input of layer 2: its own state will do, the one behind it will not. */
START_TEST(test_backward_may_end_where_forward_began) {
    lnstab_model *m = new_model(SMALL "placement=post gradients_from=2");
    float x[COUNT] = {1, 2, 3};
    ck_good(lnstab_model_message(m), lnstab_model_init(m, 3));
    ck_good(lnstab_model_message(m),
            lnstab_model_forward_from(m, "layer.2.attn.in", B, T, x, NULL));
    ck_good(lnstab_model_message(m), lnstab_model_backward(m, x));
    ck_good(lnstab_model_message(m),
            lnstab_model_forward_from(m, "layer.2.attn.out", B, T, x, NULL));
    ck_assert_int_eq(lnstab_model_backward(m, x), LNSTAB_ERROR_SEQUENCE);
    lnstab_model_destroy(m);
    m = new_model(SMALL "placement=post gradients_from=2 gradients_of=w_2"); /* inside that FFN */
    ck_good(lnstab_model_message(m), lnstab_model_forward_from(m, "layer.2.ffn.in", B, T, x, NULL));
    ck_good(lnstab_model_message(m), lnstab_model_backward(m, x));
    ck_good(lnstab_model_message(m),
            lnstab_model_forward_from(m, "layer.2.ffn.out", B, T, x, NULL));
    ck_assert_int_eq(lnstab_model_backward(m, x), LNSTAB_ERROR_SEQUENCE);
    lnstab_model_destroy(m);
}
END_TEST

START_TEST(test_bad_input_loses_nothing) {
    lnstab_model *m = whole_model(SMALL "placement=pre");
    float x[COUNT] = {0}, first = ((float *)data_of(m, "logits"))[0];
    const uint8_t bad[B * T] = {1, 1, 2};
    expect_message(m, lnstab_model_forward_from(m, "layer.1.ffn.branch", B, T, x, NULL),
                   LNSTAB_ERROR_NAME,
                   "'layer.1.ffn.branch' is not a state of the stream (embed.out, layer.1.attn.in, "
                   "layer.1.attn.out, ..., output)");
    ck_assert_int_eq(lnstab_model_forward_from(m, "layer.4.attn.in", B, T, x, NULL),
                     LNSTAB_ERROR_NAME);
    ck_assert_int_eq(lnstab_model_forward_from(m, "layer.0.ffn.out", B, T, x, NULL),
                     LNSTAB_ERROR_NAME);
    expect_message(m, lnstab_model_forward_from(m, "output", B + 1, T, x, NULL),
                   LNSTAB_ERROR_ARGUMENT, "batch 3 is outside 1..max_batch 2");
    expect_message(m, lnstab_model_forward_from(m, "output", B, 0, x, NULL), LNSTAB_ERROR_ARGUMENT,
                   "tokens 0 is outside 1..max_tokens 4");
    expect_message(m, lnstab_model_forward_from(m, "output", B, T, x, bad), LNSTAB_ERROR_ARGUMENT,
                   "keep 2 at place 2 is neither 0 nor 1");
    expect_message(m, lnstab_model_forward_from(m, NULL, B, T, x, NULL), LNSTAB_ERROR_ARGUMENT,
                   "from is NULL");
    expect_message(m, lnstab_model_forward_from(m, "output", B, T, NULL, NULL),
                   LNSTAB_ERROR_ARGUMENT, "x is NULL");
    ck_assert_int_eq(lnstab_model_forward_from(NULL, "output", B, T, x, NULL),
                     LNSTAB_ERROR_ARGUMENT);
    ck_assert_float_eq(((float *)data_of(m, "logits"))[0], first);
    ck_good(lnstab_model_message(m), lnstab_model_backward(m, NULL)); /* of the loss there was */
    lnstab_model_destroy(m);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("forward_from");
    TCase *cases = tcase_create("forward_from");
    tcase_add_test(cases, test_what_is_behind_a_state_is_as_in_the_whole);
    tcase_add_test(cases, test_halves_of_every_option);
    tcase_add_test(cases, test_a_state_is_replaced);
    tcase_add_test(cases, test_what_goes_below_the_start_is_refused);
    tcase_add_test(cases, test_backward_may_end_where_forward_began);
    tcase_add_test(cases, test_bad_input_loses_nothing);
    suite_add_tcase(suite, cases);
    return run_suite(suite);
}
