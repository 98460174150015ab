/* The life of a model: memory, the order of calls, bad input, and independence of handles. */

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/allocator.h"
#include "support/handles.h"
#include "support/main.h"

#define SMALL "layers=2 width=6 heads=2 ffn_width=5 vocab=7 max_batch=2 max_tokens=4 "

static const int32_t tokens[8] = {0, 6, 3, 3, 1, 2, 5, 4};
static const int32_t targets[8] = {1, 1, 0, -100, 6, 5, 2, 3};

static double train_step(lnstab_model *m) {
    double loss;
    ck_good(lnstab_model_message(m), lnstab_model_forward(m, 2, 4, tokens, NULL));
    ck_good(lnstab_model_message(m), lnstab_model_loss(m, targets, &loss, NULL));
    ck_good(lnstab_model_message(m), lnstab_model_backward(m, NULL));
    return loss;
}

/* ---- memory */

START_TEST(test_each_handle_is_one_allocation) {
    struct counting counter = {.left = -1};
    lnstab_config *c;
    lnstab_model *m;
    lnstab_norm *n;
    size_t bytes;
    ck_assert_int_eq(lnstab_config_create(counting_alloc, counting_release, &counter, &c),
                     LNSTAB_OK);
    ck_assert_int_eq(counter.taken, 1);
    ck_good(lnstab_config_message(c), lnstab_config_set(c, SMALL "keep_states=2"));
    ck_good(lnstab_config_message(c), lnstab_model_size(c, &bytes));
    ck_assert_int_eq(counter.taken, 1);
    ck_good(lnstab_config_message(c), lnstab_model_create(c, &m));
    ck_assert_int_eq(counter.taken, 2);
    ck_assert_uint_eq(counter.last_size, bytes);
    ck_good(lnstab_config_message(c), lnstab_norm_create(c, &n));
    ck_assert_int_eq(counter.taken, 3);
    lnstab_config_destroy(c);
    ck_good(lnstab_model_message(m), lnstab_model_init(m, 1));
    train_step(m);
    train_step(m);
    double v[48] = {1}, loss;
    char json[16];
    ck_assert_int_eq(lnstab_model_jvp(m, "embed.out", "output", v, v), LNSTAB_OK);
    ck_assert_int_eq(lnstab_model_vjp(m, "embed.out", "output", v, v), LNSTAB_OK);
    ck_assert_int_eq(lnstab_model_health(m, "states", &loss, NULL, NULL, NULL, NULL), LNSTAB_OK);
    ck_assert_int_eq(lnstab_model_describe(m, json, sizeof json, NULL), LNSTAB_ERROR_CAPACITY);
    float row[6] = {1, 2, 3, 4, 5, 9};
    ck_assert_int_eq(lnstab_norm_forward(n, 1, row, 6, row, 6), LNSTAB_OK);
    ck_assert_int_eq(counter.taken, 3);
    ck_assert_int_eq(counter.given, 1);
    lnstab_norm_destroy(n);
    lnstab_model_destroy(m);
    ck_assert_int_eq(counter.given, 3);
    ck_assert_int_eq(counter.misaligned_asks, 0);
}
END_TEST

START_TEST(test_no_memory_is_an_error) {
    struct counting counter = {.left = 0};
    lnstab_config *c = NULL;
    lnstab_model *m = NULL;
    lnstab_norm *n = NULL;
    ck_assert_int_eq(lnstab_config_create(counting_alloc, counting_release, &counter, &c),
                     LNSTAB_ERROR_MEMORY);
    ck_assert_ptr_eq(c, NULL);
    counter.left = 1;
    ck_assert_int_eq(lnstab_config_create(counting_alloc, counting_release, &counter, &c),
                     LNSTAB_OK);
    ck_assert_int_eq(lnstab_model_create(c, &m), LNSTAB_ERROR_MEMORY);
    ck_assert_int_eq(strncmp(lnstab_config_message(c), "the allocator gave no ", 22), 0);
    ck_assert_int_eq(lnstab_norm_create(c, &n), LNSTAB_ERROR_MEMORY);
    ck_assert_ptr_eq(m, NULL);
    ck_assert_ptr_eq(n, NULL);
    counter.left = -1;
    ck_good(lnstab_config_message(c), lnstab_model_create(c, &m));
    lnstab_model_destroy(m);
    lnstab_config_destroy(c);
    ck_assert_int_eq(counter.taken, counter.given);
}
END_TEST

START_TEST(test_sizes_beyond_memory_are_told_apart) {
    lnstab_config *c = new_config("layers=100000 width=1048576 ffn_width=4194304 vocab=16777216");
    lnstab_model *m = NULL;
    size_t bytes = 7;
    int32_t status = lnstab_model_size(c, &bytes);
    ck_assert_int_eq(status, LNSTAB_OK);
    ck_assert_uint_gt(bytes, (size_t)1 << 50);
    ck_assert_int_eq(lnstab_model_create(c, &m), LNSTAB_ERROR_MEMORY);
    bytes = 7;
    ck_good(lnstab_config_message(c),
            lnstab_config_set(c, "max_tokens=16777216 max_batch=127 heads=1048576 keep_states=2"));
    ck_assert_int_eq(lnstab_model_size(c, &bytes), LNSTAB_ERROR_MEMORY);
    ck_assert_uint_eq(bytes, 7);
    ck_good(lnstab_config_message(c), lnstab_config_set(c, "max_batch=128"));
    ck_assert_int_eq(lnstab_model_size(c, &bytes), LNSTAB_ERROR_ARGUMENT);
    ck_assert_str_eq(lnstab_config_message(c),
                     "max_batch 128 x max_tokens 16777216 is more than 2147483647 rows");
    lnstab_config_destroy(c);
}
END_TEST

/* ---- the order of calls, and bad input (case C12) */

START_TEST(test_calls_out_of_order_are_errors) {
    lnstab_model *m = new_model(SMALL);
    double loss = 7, v[48] = {0};
    const char *none = "there has been no forward since the weights were set";
    expect_message(m, lnstab_model_loss(m, targets, &loss, NULL), LNSTAB_ERROR_SEQUENCE, none);
    expect_message(m, lnstab_model_backward(m, NULL), LNSTAB_ERROR_SEQUENCE, none);
    expect_message(m, lnstab_model_jvp(m, "embed.out", "output", v, v), LNSTAB_ERROR_SEQUENCE,
                   none);
    ck_good(lnstab_model_message(m), lnstab_model_init(m, 3));
    ck_good(lnstab_model_message(m), lnstab_model_forward(m, 2, 4, tokens, NULL));
    expect_message(m, lnstab_model_backward(m, NULL), LNSTAB_ERROR_SEQUENCE,
                   "there has been no loss since the last forward, and dout is NULL");
    ck_good(lnstab_model_message(m), lnstab_model_backward(m, v));
    ck_good(lnstab_model_message(m), lnstab_model_loss(m, targets, &loss, NULL));
    ck_good(lnstab_model_message(m), lnstab_model_init(m, 4));
    expect_message(m, lnstab_model_loss(m, targets, &loss, NULL), LNSTAB_ERROR_SEQUENCE, none);
    train_step(m);
    lnstab_model_destroy(m);
}
END_TEST

START_TEST(test_bad_batches_are_errors_and_lose_nothing) {
    lnstab_model *m = new_model(SMALL);
    int32_t bad[8];
    double before, after, loss = 7;
    uint8_t keep[8] = {1, 1, 1, 2, 1, 1, 1, 1};
    ck_good(lnstab_model_message(m), lnstab_model_init(m, 3));
    before = train_step(m);
    expect_message(m, lnstab_model_forward(m, 0, 4, tokens, NULL), LNSTAB_ERROR_ARGUMENT,
                   "batch 0 is outside 1..max_batch 2");
    expect_message(m, lnstab_model_forward(m, 3, 4, tokens, NULL), LNSTAB_ERROR_ARGUMENT,
                   "batch 3 is outside 1..max_batch 2");
    expect_message(m, lnstab_model_forward(m, 2, 0, tokens, NULL), LNSTAB_ERROR_ARGUMENT,
                   "tokens 0 is outside 1..max_tokens 4");
    expect_message(m, lnstab_model_forward(m, 2, 5, tokens, NULL), LNSTAB_ERROR_ARGUMENT,
                   "tokens 5 is outside 1..max_tokens 4");
    expect_message(m, lnstab_model_forward(m, 2, 4, NULL, NULL), LNSTAB_ERROR_ARGUMENT,
                   "tokens is NULL");
    expect_message(m, lnstab_model_forward(m, 2, 4, tokens, keep), LNSTAB_ERROR_ARGUMENT,
                   "keep 2 at place 3 is neither 0 nor 1");
    memcpy(bad, tokens, sizeof bad);
    bad[5] = 7;
    expect_message(m, lnstab_model_forward(m, 2, 4, bad, NULL), LNSTAB_ERROR_ARGUMENT,
                   "token 7 at place 5 is outside 0..6");
    bad[5] = -1;
    expect_message(m, lnstab_model_forward(m, 2, 4, bad, NULL), LNSTAB_ERROR_ARGUMENT,
                   "token -1 at place 5 is outside 0..6");
    bad[5] = -100;
    expect_message(m, lnstab_model_forward(m, 2, 4, bad, NULL), LNSTAB_ERROR_ARGUMENT,
                   "token -100 at place 5 is outside 0..6");
    memcpy(bad, targets, sizeof bad);
    bad[7] = 7;
    expect_message(m, lnstab_model_loss(m, bad, &loss, NULL), LNSTAB_ERROR_ARGUMENT,
                   "target 7 at place 7 is outside 0..6");
    bad[7] = -1;
    expect_message(m, lnstab_model_loss(m, bad, &loss, NULL), LNSTAB_ERROR_ARGUMENT,
                   "target -1 at place 7 is outside 0..6");
    ck_assert_double_eq(loss, 7);
    expect_message(m, lnstab_model_forward_embedded(m, 2, 4, &loss, NULL), LNSTAB_ERROR_UNAVAILABLE,
                   "the model embeds tokens itself: set input=embedded");
    ck_good(lnstab_model_message(m), lnstab_model_loss(m, targets, &after, NULL));
    ck_assert_double_eq(before, after);
    lnstab_model_destroy(m);
}
END_TEST

START_TEST(test_impossible_models_are_errors) {
    lnstab_config *c = new_config("heads=12 width=100");
    lnstab_model *m = NULL;
    size_t bytes;
    ck_assert_int_eq(lnstab_model_create(c, &m), LNSTAB_ERROR_ARGUMENT);
    ck_assert_str_eq(lnstab_config_message(c), "heads 12 does not divide width 100");
    ck_assert_int_eq(lnstab_model_size(c, &bytes), LNSTAB_ERROR_ARGUMENT);
    ck_assert_ptr_eq(m, NULL);
    ck_good(lnstab_config_message(c), lnstab_config_set(c, "heads=10"));
    ck_good(lnstab_config_message(c), lnstab_model_create(c, &m));
    lnstab_model_destroy(m);
    lnstab_config_destroy(c);
}
END_TEST

START_TEST(test_parts_that_are_absent_say_so) {
    lnstab_model *m = new_model(SMALL "head=none gradients=0 input=embedded");
    double loss, v[48] = {0};
    ck_good(lnstab_model_message(m), lnstab_model_init(m, 3));
    expect_message(m, lnstab_model_forward(m, 1, 1, tokens, NULL), LNSTAB_ERROR_UNAVAILABLE,
                   "the model has no token table: set input=tokens");
    ck_good(lnstab_model_message(m), lnstab_model_forward_embedded(m, 1, 1, v, NULL));
    expect_message(m, lnstab_model_loss(m, targets, &loss, NULL), LNSTAB_ERROR_UNAVAILABLE,
                   "the model has no head: set head=separate");
    expect_message(m, lnstab_model_backward(m, v), LNSTAB_ERROR_UNAVAILABLE,
                   "there is no room for gradients: set gradients=1");
    expect_message(m, lnstab_model_health(m, "gradients", &loss, NULL, NULL, NULL, NULL),
                   LNSTAB_ERROR_UNAVAILABLE, "there are no gradients: set gradients=1");
    expect_message(m, lnstab_model_health(m, "weights", &loss, NULL, NULL, NULL, NULL),
                   LNSTAB_ERROR_NAME, "'weights' is not one of: parameters gradients states");
    ck_assert_ptr_eq(lnstab_model_tensor(m, "head.w"), NULL);
    ck_assert_ptr_eq(lnstab_model_tensor(m, "embed.token"), NULL);
    ck_assert_ptr_eq(lnstab_tensor_grad(lnstab_model_tensor(m, "layer.1.ffn.w_2")), NULL);
    ck_good(lnstab_model_message(m), lnstab_model_vjp(m, "embed.out", "output", v, v));
    lnstab_model_destroy(m);
}
END_TEST

START_TEST(test_states_of_a_stretch_are_checked) {
    lnstab_model *m = new_model(SMALL);
    double v[48] = {0};
    ck_good(lnstab_model_message(m), lnstab_model_init(m, 3));
    train_step(m);
    ck_assert_int_eq(lnstab_model_jvp(m, "layer.1.ffn.branch", "output", v, v), LNSTAB_ERROR_NAME);
    ck_assert_int_eq(lnstab_model_jvp(m, "embed.out", "layer.3.ffn.out", v, v), LNSTAB_ERROR_NAME);
    ck_assert_int_eq(lnstab_model_jvp(m, "embed.out", "", v, v), LNSTAB_ERROR_NAME);
    expect_message(m, lnstab_model_vjp(m, "layer.2.attn.in", "layer.1.attn.out", v, v),
                   LNSTAB_ERROR_ARGUMENT,
                   "from 'layer.2.attn.in' comes after to 'layer.1.attn.out'");
    ck_good(lnstab_model_message(m),
            lnstab_model_vjp(m, "layer.1.ffn.out", "layer.2.attn.in", v, v));
    expect_message(m, lnstab_model_jvp(m, NULL, "output", v, v), LNSTAB_ERROR_ARGUMENT,
                   "from is NULL");
    expect_message(m, lnstab_model_jvp(m, "embed.out", "output", NULL, v), LNSTAB_ERROR_ARGUMENT,
                   "v is NULL");
    lnstab_model_destroy(m);
}
END_TEST

START_TEST(test_null_handles_are_errors) {
    lnstab_model *m = NULL;
    double x;
    ck_assert_int_eq(lnstab_model_create(NULL, &m), LNSTAB_ERROR_ARGUMENT);
    ck_assert_int_eq(lnstab_model_size(NULL, NULL), LNSTAB_ERROR_ARGUMENT);
    ck_assert_int_eq(lnstab_model_init(NULL, 1), LNSTAB_ERROR_ARGUMENT);
    ck_assert_int_eq(lnstab_model_forward(NULL, 1, 1, tokens, NULL), LNSTAB_ERROR_ARGUMENT);
    ck_assert_int_eq(lnstab_model_forward_embedded(NULL, 1, 1, &x, NULL), LNSTAB_ERROR_ARGUMENT);
    ck_assert_int_eq(lnstab_model_loss(NULL, targets, &x, NULL), LNSTAB_ERROR_ARGUMENT);
    ck_assert_int_eq(lnstab_model_backward(NULL, NULL), LNSTAB_ERROR_ARGUMENT);
    ck_assert_int_eq(lnstab_model_zero_grads(NULL), LNSTAB_ERROR_ARGUMENT);
    ck_assert_int_eq(lnstab_model_describe(NULL, NULL, 0, NULL), LNSTAB_ERROR_ARGUMENT);
    ck_assert_int_eq(lnstab_model_jvp(NULL, "a", "b", &x, &x), LNSTAB_ERROR_ARGUMENT);
    ck_assert_int_eq(lnstab_model_vjp(NULL, "a", "b", &x, &x), LNSTAB_ERROR_ARGUMENT);
    ck_assert_int_eq(lnstab_model_health(NULL, "states", &x, NULL, NULL, NULL, NULL),
                     LNSTAB_ERROR_ARGUMENT);
    ck_assert_int_eq(lnstab_model_set_tensor(NULL, "a", &x, LNSTAB_FLOAT64, 1),
                     LNSTAB_ERROR_ARGUMENT);
    ck_assert_int_eq(lnstab_model_tensor_count(NULL), 0);
    ck_assert_ptr_eq(lnstab_model_tensor_at(NULL, 0), NULL);
    ck_assert_ptr_eq(lnstab_model_tensor(NULL, "a"), NULL);
    ck_assert_ptr_eq(lnstab_tensor_name(NULL), NULL);
    ck_assert_ptr_eq(lnstab_tensor_role(NULL), NULL);
    ck_assert_ptr_eq(lnstab_tensor_data(NULL), NULL);
    ck_assert_ptr_eq(lnstab_tensor_grad(NULL), NULL);
    ck_assert_int_eq(lnstab_tensor_dtype(NULL), 0);
    ck_assert_int_eq(lnstab_tensor_rank(NULL), 0);
    ck_assert_int_eq(lnstab_tensor_size(NULL, 0), 0);
    ck_assert_ptr_ne(lnstab_model_message(NULL), NULL);
    lnstab_model_destroy(NULL);
}
END_TEST

/* ---- what is computed */

START_TEST(test_parameter_gradients_add_up_and_states_are_overwritten) {
    lnstab_model *m = new_model(SMALL "dtype=float64 keep_states=2");
    ck_good(lnstab_model_message(m), lnstab_model_init(m, 3));
    train_step(m);
    const double *w = grad_of(m, "layer.1.attn.w_o"), *x = grad_of(m, "embed.in");
    const double *q = grad_of(m, "layer.2.attn.q");
    const double once_w = w[5], once_x = x[5], once_q = q[5];
    train_step(m);
    ck_assert_double_eq_tol(w[5], 2 * once_w,
                            1e-14 * fabs(once_w)); /* a BLAS may sum onto what is there */
    ck_assert_double_eq(x[5], once_x);
    ck_assert_double_eq(q[5], once_q);
    ck_good(lnstab_model_message(m), lnstab_model_zero_grads(m));
    double norm;
    lnstab_model_health(m, "gradients", &norm, NULL, NULL, NULL, NULL);
    ck_assert_double_eq(norm, 0);
    lnstab_model_destroy(m);
}
END_TEST

/* Gradients are 0 in a new model, and only zero_grads makes them so again. */
START_TEST(test_init_leaves_gradients) {
    lnstab_model *m = new_model(SMALL);
    double fresh = 7, before, after;
    lnstab_model_health(m, "gradients", &fresh, NULL, NULL, NULL, NULL);
    ck_assert_double_eq(fresh, 0);
    ck_good(lnstab_model_message(m), lnstab_model_init(m, 3));
    train_step(m);
    lnstab_model_health(m, "gradients", &before, NULL, NULL, NULL, NULL);
    ck_good(lnstab_model_message(m), lnstab_model_init(m, 4));
    lnstab_model_health(m, "gradients", &after, NULL, NULL, NULL, NULL);
    ck_assert_double_gt(before, 0);
    ck_assert_double_eq(before, after);
    lnstab_model_destroy(m);
}
END_TEST

/* A caller's gradient at the output: with dLoss/d output it gives what the loss gives. */
START_TEST(test_a_given_gradient_is_the_loss_gradient) {
    lnstab_model *m = new_model(SMALL "dtype=float64 keep_states=2 placement=pre");
    ck_good(lnstab_model_message(m), lnstab_model_init(m, 3));
    train_step(m);
    double at_output[48], from_loss[36];
    memcpy(at_output, grad_of(m, "output"), sizeof at_output);
    memcpy(from_loss, grad_of(m, "layer.1.attn.w_v"), sizeof from_loss);
    const double head = array_norm(grad_of(m, "head.w"), LNSTAB_FLOAT64, 42);
    ck_good(lnstab_model_message(m), lnstab_model_zero_grads(m));
    ck_good(lnstab_model_message(m), lnstab_model_backward(m, at_output));
    ck_assert_mem_eq(from_loss, grad_of(m, "layer.1.attn.w_v"), sizeof from_loss);
    ck_assert_double_gt(head, 0);
    ck_assert_double_eq(array_norm(grad_of(m, "head.w"), LNSTAB_FLOAT64, 42), 0);
    lnstab_model_destroy(m);
}
END_TEST

START_TEST(test_nothing_counted_is_loss_zero) {
    lnstab_model *m = new_model(SMALL "dtype=float64");
    const int32_t none[8] = {-100, -100, -100, -100, -100, -100, -100, -100};
    double loss = 7, norm;
    int64_t counted = 7;
    ck_good(lnstab_model_message(m), lnstab_model_init(m, 3));
    ck_good(lnstab_model_message(m), lnstab_model_forward(m, 2, 4, tokens, NULL));
    ck_good(lnstab_model_message(m), lnstab_model_loss(m, none, &loss, &counted));
    ck_assert_double_eq(loss, 0);
    ck_assert_int_eq(counted, 0);
    ck_good(lnstab_model_message(m), lnstab_model_backward(m, NULL));
    lnstab_model_health(m, "gradients", &norm, NULL, NULL, NULL, NULL);
    ck_assert_double_eq(norm, 0);
    lnstab_model_destroy(m);
}
END_TEST

/* A forward leaves nothing of the last loss. */
START_TEST(test_token_losses_are_those_of_the_last_loss) {
    lnstab_model *m = new_model(SMALL "dtype=float64");
    double loss, sum = 0;
    int64_t counted, nonfinite;
    ck_good(lnstab_model_message(m), lnstab_model_init(m, 3));
    ck_good(lnstab_model_message(m), lnstab_model_forward(m, 2, 4, tokens, NULL));
    ck_good(lnstab_model_message(m), lnstab_model_loss(m, targets, &loss, &counted));
    const double *each = data_of(m, "token_loss");
    for (int i = 0; i < 8; ++i) {
        ck_assert((each[i] > 0) == (targets[i] != -100));
        sum += each[i];
    }
    ck_assert_double_eq_tol(sum / (double)counted, loss, 1e-14);
    ((double *)data_of(m, "token_loss"))[2] = NAN;
    ck_good(lnstab_model_message(m), lnstab_model_forward(m, 2, 4, tokens, NULL));
    ck_assert_double_eq(array_norm(each, LNSTAB_FLOAT64, 8), 0);
    ck_good(lnstab_model_message(m),
            lnstab_model_health(m, "states", NULL, NULL, &nonfinite, NULL, NULL));
    ck_assert_int_eq(nonfinite, 0);
    lnstab_model_destroy(m);
}
END_TEST

/* A smaller batch after a larger one, and sequences that do not see each other. */
START_TEST(test_any_batch_up_to_the_largest) {
    lnstab_model *m = new_model(SMALL "dtype=float64");
    double both[84], row[21];
    ck_good(lnstab_model_message(m), lnstab_model_init(m, 3));
    ck_assert_int_eq(lnstab_tensor_size(lnstab_model_tensor(m, "logits"), 0), 0);
    ck_good(lnstab_model_message(m), lnstab_model_forward(m, 2, 3, tokens, NULL));
    memcpy(both, data_of(m, "logits"), 42 * sizeof *both);
    ck_assert_int_eq(lnstab_tensor_size(lnstab_model_tensor(m, "logits"), 1), 3);
    ck_assert_int_eq(lnstab_tensor_size(lnstab_model_tensor(m, "logits"), 2), 7);
    ck_assert_int_eq(lnstab_tensor_size(lnstab_model_tensor(m, "logits"), 3), 0);
    for (int b = 0; b < 2; ++b) {
        ck_good(lnstab_model_message(m), lnstab_model_forward(m, 1, 3, tokens + 3 * b, NULL));
        memcpy(row, data_of(m, "logits"), sizeof row);
        for (int i = 0; i < 21; ++i) {
            ck_assert_double_le(fabs(row[i] - both[21 * b + i]), 1e-14);
        }
    }
    lnstab_model_destroy(m);
}
END_TEST

START_TEST(test_float32_follows_float64) {
    lnstab_model *single = new_model(SMALL "dtype=float32"),
                 *twice = new_model(SMALL "dtype=float64");
    ck_good(lnstab_model_message(single), lnstab_model_init(single, 3));
    ck_good(lnstab_model_message(twice), lnstab_model_init(twice, 3));
    const float *rounded = data_of(single, "layer.2.ffn.w_1");
    const double *drawn = data_of(twice, "layer.2.ffn.w_1");
    for (int i = 0; i < 30; ++i) {
        ck_assert(rounded[i] == (float)drawn[i]);
    }
    ck_assert_double_le(fabs(train_step(single) - train_step(twice)), 1e-6);
    double a, b;
    lnstab_model_health(single, "gradients", &a, NULL, NULL, NULL, NULL);
    lnstab_model_health(twice, "gradients", &b, NULL, NULL, NULL, NULL);
    ck_assert_double_le(fabs(a - b), 1e-5 * b);
    lnstab_model_destroy(single);
    lnstab_model_destroy(twice);
}
END_TEST

/* ---- handles do not know of each other (case C15) */

struct job {
    lnstab_model *m;
    double loss, norm;
};

static void *run_job(void *argument) {
    struct job *job = argument;
    for (int i = 0; i < 20; ++i) {
        lnstab_model_zero_grads(job->m);
        job->loss = train_step(job->m);
        lnstab_model_health(job->m, "gradients", &job->norm, NULL, NULL, NULL, NULL);
    }
    return NULL;
}

START_TEST(test_models_on_two_threads_and_after_fork) {
    struct job jobs[2] = {{new_model(SMALL "placement=post"), 0, 0},
                          {new_model(SMALL "placement=peri norm=rms"), 0, 0}};
    double alone[2][2];
    pthread_t threads[2];
    for (int i = 0; i < 2; ++i) {
        ck_good("", lnstab_model_init(jobs[i].m, 5));
        run_job(&jobs[i]);
        alone[i][0] = jobs[i].loss;
        alone[i][1] = jobs[i].norm;
    }
    for (int i = 0; i < 2; ++i) {
        ck_assert_int_eq(pthread_create(&threads[i], NULL, run_job, &jobs[i]), 0);
    }
    for (int i = 0; i < 2; ++i) {
        pthread_join(threads[i], NULL);
        ck_assert_double_eq(jobs[i].loss, alone[i][0]);
        ck_assert_double_eq(jobs[i].norm, alone[i][1]);
    }
    pid_t child = fork();
    if (child == 0) {
        run_job(&jobs[0]);
        _exit(jobs[0].loss == alone[0][0] && jobs[0].norm == alone[0][1] ? 0 : 1);
    }
    int status = -1;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    lnstab_model_destroy(jobs[0].m);
    lnstab_model_destroy(jobs[1].m);
}
END_TEST

START_TEST(test_a_model_outlives_its_configuration) {
    lnstab_config *c = new_config(SMALL);
    lnstab_model *m;
    ck_good(lnstab_config_message(c), lnstab_model_create(c, &m));
    ck_good(lnstab_config_message(c), lnstab_config_set(c, "vocab=3 placement=pre"));
    lnstab_config_destroy(c);
    ck_good(lnstab_model_message(m), lnstab_model_init(m, 1));
    ck_assert_double_gt(train_step(m), 0);
    lnstab_model_destroy(m);
}
END_TEST

int main(void) {
    const TTest *const tests[] = {
        test_each_handle_is_one_allocation,
        test_no_memory_is_an_error,
        test_sizes_beyond_memory_are_told_apart,
        test_calls_out_of_order_are_errors,
        test_bad_batches_are_errors_and_lose_nothing,
        test_impossible_models_are_errors,
        test_parts_that_are_absent_say_so,
        test_states_of_a_stretch_are_checked,
        test_null_handles_are_errors,
        test_parameter_gradients_add_up_and_states_are_overwritten,
        test_init_leaves_gradients,
        test_a_given_gradient_is_the_loss_gradient,
        test_nothing_counted_is_loss_zero,
        test_token_losses_are_those_of_the_last_loss,
        test_any_batch_up_to_the_largest,
        test_float32_follows_float64,
        test_models_on_two_threads_and_after_fork,
        test_a_model_outlives_its_configuration,
    };
    return run_tests("model", tests, sizeof tests / sizeof *tests);
}
