/* Models that share parameters: what is shared, what is not, and what that saves. */

#include <string.h>

#include "support/allocator.h"
#include "support/handles.h"
#include "support/main.h"

#define SMALL "layers=2 width=6 heads=2 ffn_width=5 vocab=7 max_batch=2 max_tokens=4 "

static double train_step(lnstab_model *m) {
    static const int32_t tokens[8] = {0, 6, 3, 3, 1, 2, 5, 4},
                         targets[8] = {1, 1, 0, -100, 6, 5, 2, 3};
    double loss;
    ck_good(lnstab_model_message(m), lnstab_model_forward(m, 2, 4, tokens, NULL));
    ck_good(lnstab_model_message(m), lnstab_model_loss(m, targets, &loss, NULL));
    ck_good(lnstab_model_message(m), lnstab_model_backward(m, NULL));
    return loss;
}

static void same_gradients(lnstab_model *a, lnstab_model *b) {
    for (int32_t i = 0; i < lnstab_model_tensor_count(a); ++i) {
        const lnstab_tensor *t = lnstab_model_tensor_at(a, i);
        const lnstab_tensor *u = lnstab_model_tensor(b, lnstab_tensor_name(t));
        if (strcmp(lnstab_tensor_role(t), "parameter") == 0) {
            ck_assert_ptr_ne(lnstab_tensor_grad(t), lnstab_tensor_grad(u));
            ck_assert_mem_eq(lnstab_tensor_grad(t), lnstab_tensor_grad(u),
                             tensor_count(t) * sizeof(float));
        }
    }
}

/* A shallower model of another placement on the weights of a deeper one computes what it would with its own. */
START_TEST(test_a_model_shares_parameters) {
    lnstab_model *lender = new_model(SMALL "layers=3 placement=peri");
    lnstab_model *alone = new_model(SMALL "placement=pre"); /* peri has all of its parameters */
    ck_good(lnstab_model_message(lender), lnstab_model_init(lender, 3));
    perturb(lender, 4, 0.3);
    const double before = train_step(lender);
    lnstab_model *m = new_sharing_model(SMALL "placement=pre", lender);
    ck_assert_double_eq(train_step(lender), before); /* its gammas are what they were */
    for (int32_t i = 0; i < lnstab_model_tensor_count(m); ++i) {
        const lnstab_tensor *t = lnstab_model_tensor_at(m, i);
        const char *name = lnstab_tensor_name(t);
        if (strcmp(lnstab_tensor_role(t), "parameter") == 0) {
            ck_assert_msg(lnstab_tensor_data(t) == data_of(lender, name), "%s", name);
            ck_good(lnstab_model_message(alone),
                    lnstab_model_set_tensor(alone, name, lnstab_tensor_data(t), LNSTAB_FLOAT32,
                                            tensor_count(t)));
        }
    }
    ck_assert_ptr_ne(data_of(m, "embed.out"), data_of(lender, "embed.out"));
    ck_assert_double_eq(train_step(m), train_step(alone));
    same_gradients(alone, m);
    lnstab_model_destroy(m);
    ck_assert_double_eq(train_step(lender), before);
    lnstab_model_destroy(alone);
    lnstab_model_destroy(lender);
}
END_TEST

/* Of another size or dtype, or not there, a parameter is the model's own, and starts as in a new one. */
START_TEST(test_parameters_that_are_not_alike_are_not_shared) {
    lnstab_model *lender = new_model(SMALL "placement=none bias=0");
    ck_good(lnstab_model_message(lender), lnstab_model_init(lender, 3));
    lnstab_model *wider = new_sharing_model(SMALL "ffn_width=6 placement=post", lender);
    lnstab_model *finer = new_sharing_model(SMALL "dtype=float64", lender);
    ck_assert_ptr_eq(data_of(wider, "layer.2.attn.w_v"), data_of(lender, "layer.2.attn.w_v"));
    ck_assert_ptr_ne(data_of(wider, "layer.2.ffn.w_1"), data_of(lender, "layer.2.ffn.w_1"));
    ck_assert_double_eq(array_norm(data_of(wider, "layer.2.ffn.w_1"), LNSTAB_FLOAT32, 36), 0);
    ck_assert_double_eq(array_norm(data_of(wider, "layer.2.ffn.b_1"), LNSTAB_FLOAT32, 6), 0);
    ck_assert(((float *)data_of(wider, "layer.2.ffn.norm_res.gamma"))[5] == 1);
    ck_assert_ptr_ne(data_of(finer, "layer.2.attn.w_v"), data_of(lender, "layer.2.attn.w_v"));
    ck_good(lnstab_model_message(wider), lnstab_model_init(wider, 5)); /* the lender's too */
    lnstab_model *drawn = new_model(SMALL "placement=none bias=0");
    ck_good(lnstab_model_message(drawn), lnstab_model_init(drawn, 5));
    ck_assert_mem_eq(data_of(lender, "layer.1.attn.w_v"), data_of(drawn, "layer.1.attn.w_v"),
                     36 * sizeof(float));
    lnstab_model_destroy(drawn);
    lnstab_model_destroy(finer);
    lnstab_model_destroy(wider);
    lnstab_model_destroy(lender);
}
END_TEST

/* The memory of what is shared is not taken again. */
START_TEST(test_sharing_takes_less_memory) {
    static const char words[] = "layers=2 width=64 vocab=7 gradients=0 max_tokens=1";
    struct counting counter = {.left = -1};
    lnstab_config *c;
    lnstab_model *m = NULL, *lender = new_model(words);
    size_t bytes, weights = 0;
    for (int32_t i = 0; i < lnstab_model_tensor_count(lender); ++i) {
        const lnstab_tensor *t = lnstab_model_tensor_at(lender, i);
        weights += lnstab_tensor_role(t)[0] == 'p' ? tensor_count(t) * sizeof(float) : 0;
    }
    ck_assert_int_eq(lnstab_config_create(counting_alloc, counting_release, &counter, &c),
                     LNSTAB_OK);
    ck_good(lnstab_config_message(c), lnstab_config_set(c, words));
    ck_good(lnstab_config_message(c), lnstab_model_size(c, &bytes));
    ck_good(lnstab_config_message(c), lnstab_model_create_sharing(c, lender, &m));
    ck_assert_uint_le(counter.last_size + weights, bytes);
    lnstab_model_destroy(m);
    ck_assert_int_eq(lnstab_model_create_sharing(c, NULL, &m), LNSTAB_ERROR_ARGUMENT);
    ck_assert_str_eq(lnstab_config_message(c), "lender is NULL");
    ck_assert_int_eq(lnstab_model_create_sharing(c, lender, NULL), LNSTAB_ERROR_ARGUMENT);
    ck_assert_int_eq(lnstab_model_create_sharing(NULL, lender, &m), LNSTAB_ERROR_ARGUMENT);
    lnstab_config_destroy(c);
    lnstab_model_destroy(lender);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("sharing");
    TCase *cases = tcase_create("sharing");
    tcase_add_test(cases, test_a_model_shares_parameters);
    tcase_add_test(cases, test_parameters_that_are_not_alike_are_not_shared);
    tcase_add_test(cases, test_sharing_takes_less_memory);
    suite_add_tcase(suite, cases);
    return run_suite(suite);
}
