/* The tensors of a model by number and by name, and their values set from outside. */

#include <stdio.h>
#include <string.h>

#include "support/handles.h"
#include "support/main.h"

#define SMALL "layers=2 width=6 heads=2 ffn_width=5 vocab=7 max_batch=2 max_tokens=4 "

START_TEST(test_every_tensor_is_found_by_its_name) {
    lnstab_model *m = new_model(SMALL "placement=peri keep_states=2");
    int32_t count = lnstab_model_tensor_count(m), states = 0;
    for (int32_t i = 0; i < count; ++i) {
        const lnstab_tensor *t = lnstab_model_tensor_at(m, i);
        ck_assert_ptr_eq(lnstab_model_tensor(m, lnstab_tensor_name(t)), t);
        const int is_state = strcmp(lnstab_tensor_role(t), "state") == 0;
        ck_assert_int_ge(is_state, states > 0); /* parameters first */
        states += is_state;
        ck_assert_ptr_ne(lnstab_tensor_data(t), NULL);
        const int has_none = strcmp(lnstab_tensor_name(t), "logits") == 0 ||
                             strcmp(lnstab_tensor_name(t), "token_loss") == 0;
        ck_assert_int_eq(lnstab_tensor_grad(t) == NULL, has_none);
        ck_assert_int_eq(lnstab_tensor_dtype(t), LNSTAB_FLOAT32);
    }
    ck_assert_int_eq(states, 2 * (13 + 7) + 5);
    ck_assert_ptr_eq(lnstab_model_tensor_at(m, count), NULL);
    ck_assert_ptr_eq(lnstab_model_tensor_at(m, -1), NULL);
    ck_assert_int_eq(strncmp(lnstab_model_message(m), "tensor -1 is outside 0..", 24), 0);
    ck_assert_int_eq(lnstab_model_tensor_count(m), count);
    ck_assert_str_eq(lnstab_model_message(m), "");
    ck_assert_ptr_eq(lnstab_model_tensor(m, NULL), NULL);
    ck_assert_str_eq(lnstab_model_message(m), "name is NULL");
    lnstab_model_destroy(m);
}
END_TEST

START_TEST(test_names_that_are_not_there) {
    static const char *const absent[] = {"layer.3.ffn.w_2", "layer.0.ffn.w_2",
                                         "layer.1.ffn.w_3", "",
                                         "layer.1.x0",      "layer.1.x6",
                                         "layer.x.x1",      "layer.1.attn.norm_out.gamma",
                                         "layer..x1",       "x1"};
    lnstab_model *m = new_model(SMALL "placement=pre");
    for (size_t i = 0; i < sizeof absent / sizeof *absent; ++i) {
        char message[128];
        snprintf(message, sizeof message, "no tensor '%s' in a model of 2 layers, placement=pre",
                 absent[i]);
        ck_assert_ptr_eq(lnstab_model_tensor(m, absent[i]), NULL);
        ck_assert_str_eq(lnstab_model_message(m), message);
    }
    lnstab_model_destroy(m);
    m = new_model(SMALL "placement=peri");
    ck_assert_ptr_eq(lnstab_model_tensor(m, "layer.2.attn.f_out"), NULL);
    ck_assert_str_eq(lnstab_model_message(m),
                     "layer.2.attn.f_out is not kept: set keep_states=1 recompute=none");
    ck_assert_ptr_eq(lnstab_model_tensor(m, "layer.2.x1"), NULL);
    lnstab_model_destroy(m);
}
END_TEST

/* Xiong 2020's x1..x5 against the equations of its table 1. */
START_TEST(test_paper_names_mean_what_the_paper_says) {
    static const char *const meanings[][6] = {
        {"placement=post", "attn.branch", "attn.sum", "attn.out", "ffn.branch", "ffn.sum"},
        {"placement=pre", "attn.f_in", "attn.branch", "ffn.in", "ffn.f_in", "ffn.branch"},
        {"placement=mix", "attn.branch", "attn.sum", "attn.out", "ffn.branch", "ffn.sum"},
    };
    for (int i = 0; i < 3; ++i) {
        char text[256], alias[32], name[32];
        snprintf(text, sizeof text, "%s %s keep_states=1", SMALL, meanings[i][0]);
        lnstab_model *m = new_model(text);
        for (int x = 1; x <= 5; ++x) {
            snprintf(alias, sizeof alias, "layer.1.x%d", x);
            snprintf(name, sizeof name, "layer.1.%s", meanings[i][x]);
            ck_assert_ptr_eq(data_of(m, alias), data_of(m, name));
        }
        lnstab_model_destroy(m);
    }
    lnstab_model *other = new_model(SMALL "placement=post norm_in=1 norm_res=0");
    ck_assert_ptr_eq(lnstab_model_tensor(other, "layer.1.x2"), NULL);
    lnstab_model_destroy(other);
    lnstab_model *m = new_model(SMALL "placement=mix");
    ck_assert_ptr_eq(data_of(m, "layer.2.x1"), data_of(m, "layer.2.attn.f_in"));
    lnstab_model_destroy(m);
}
END_TEST

START_TEST(test_set_tensor_checks_and_rounds) {
    lnstab_model *m = new_model(SMALL);
    double values[30];
    float same[30];
    for (int i = 0; i < 30; ++i) {
        values[i] = 1.0 / (i + 3);
        same[i] = (float)i;
    }
    ck_good(lnstab_model_message(m),
            lnstab_model_set_tensor(m, "layer.2.ffn.w_2", values, LNSTAB_FLOAT64, 30));
    ck_assert(((float *)data_of(m, "layer.2.ffn.w_2"))[29] == (float)values[29]);
    ck_good(lnstab_model_message(m),
            lnstab_model_set_tensor(m, "layer.2.ffn.w_2", same, LNSTAB_FLOAT32, 30));
    ck_assert_mem_eq(data_of(m, "layer.2.ffn.w_2"), same, sizeof same);
    for (int32_t dtype = LNSTAB_BFLOAT16; dtype <= LNSTAB_FLOAT16; ++dtype) {
        uint16_t half[30];
        for (size_t i = 0; i < 30; ++i) {
            set_entry(half, dtype, i, (double)i - 3.5);
        }
        ck_good(lnstab_model_message(m),
                lnstab_model_set_tensor(m, "layer.2.ffn.w_2", half, dtype, 30));
        for (size_t i = 0; i < 30; ++i) {
            ck_assert(((float *)data_of(m, "layer.2.ffn.w_2"))[i] == (float)i - 3.5F);
        }
    }
    ck_good(lnstab_model_message(m),
            lnstab_model_set_tensor(m, "layer.2.ffn.w_2", same, LNSTAB_FLOAT32, 30));
    expect_message(m, lnstab_model_set_tensor(m, "layer.2.ffn.w_2", values, LNSTAB_FLOAT64, 29),
                   LNSTAB_ERROR_ARGUMENT, "layer.2.ffn.w_2 has 30 elements, not 29");
    expect_message(m, lnstab_model_set_tensor(m, "layer.2.ffn.w_2", values, 5, 30),
                   LNSTAB_ERROR_ARGUMENT,
                   "dtype 5 is none of LNSTAB_FLOAT32, _FLOAT64, _BFLOAT16, _FLOAT16");
    expect_message(m, lnstab_model_set_tensor(m, "layer.2.ffn.in", values, LNSTAB_FLOAT64, 30),
                   LNSTAB_ERROR_ARGUMENT, "layer.2.ffn.in is a state, not a parameter");
    ck_assert_ptr_eq(lnstab_model_tensor(m, "layer.1.x7"), NULL);
    expect_message(m, lnstab_model_set_tensor(m, "layer.2.ffn.w_2", NULL, LNSTAB_FLOAT64, 30),
                   LNSTAB_ERROR_ARGUMENT, "values is NULL");
    ck_assert_int_eq(lnstab_model_set_tensor(m, "layer.7.ffn.w_2", values, LNSTAB_FLOAT64, 30),
                     LNSTAB_ERROR_NAME);
    ck_assert_mem_eq(data_of(m, "layer.2.ffn.w_2"), same, sizeof same);
    lnstab_model_destroy(m);
}
END_TEST

int main(void) {
    const TTest *const tests[] = {
        test_every_tensor_is_found_by_its_name,
        test_names_that_are_not_there,
        test_paper_names_mean_what_the_paper_says,
        test_set_tensor_checks_and_rounds,
    };
    return run_tests("tensor", tests, sizeof tests / sizeof *tests);
}
