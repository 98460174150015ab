/* describe says what was really built: formula, coefficients, and the spread of every tensor, each
 * measured on the weights themselves. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/handles.h"
#include "support/main.h"

static char *describe(lnstab_model *m) {
    size_t needed;
    ck_assert_int_eq(lnstab_model_describe(m, NULL, 0, &needed), LNSTAB_ERROR_CAPACITY);
    char *json = malloc(needed);
    ck_assert_int_eq(lnstab_model_describe(m, json, needed - 1, NULL), LNSTAB_ERROR_CAPACITY);
    ck_good(lnstab_model_message(m), lnstab_model_describe(m, json, needed, NULL));
    ck_assert_uint_eq(strlen(json), needed - 1);
    return json;
}

/* The number behind "key": in the object that names name. */
static double number_of(const char *json, const char *name, const char *key) {
    char pattern[96];
    snprintf(pattern, sizeof pattern, "{\"name\": \"%s\",", name);
    const char *object = strstr(json, pattern);
    ck_assert_msg(object != NULL, "no %s", name);
    snprintf(pattern, sizeof pattern, "\"%s\": ", key);
    const char *at = strstr(object, pattern);
    ck_assert_msg(at != NULL && at < strchr(object, '}'), "no %s in %s", key, name);
    return strtod(at + strlen(pattern), NULL);
}

START_TEST(test_measured_spread_is_the_described_one) {
    static const char *const models[] = {
        "placement=post", "placement=deepnorm",
        "placement=pre init=xavier_uniform head_init=xavier_normal",
        "placement=peri init=lecun_normal gain_w1=2*L^-0.5*l^0.5",
        "placement=none gain_qk=0 gain_v=-1"};
    char text[200];
    snprintf(text, sizeof text,
             "%s layers=3 width=48 ffn_width=80 vocab=50 embed_norm=1 heads=4 dtype=float64",
             models[_i]);
    lnstab_model *m = new_model(text);
    ck_good(lnstab_model_message(m), lnstab_model_init(m, 8));
    char *json = describe(m);
    for (int32_t i = 0; i < lnstab_model_tensor_count(m); ++i) {
        const lnstab_tensor *t = lnstab_model_tensor_at(m, i);
        if (strcmp(lnstab_tensor_role(t), "parameter") != 0) {
            continue;
        }
        const double *x = lnstab_tensor_data(t);
        const size_t n = tensor_count(t);
        const double mean = number_of(json, lnstab_tensor_name(t), "mean");
        const double std = number_of(json, lnstab_tensor_name(t), "std");
        double squares = 0;
        for (size_t j = 0; j < n; ++j) {
            squares += (x[j] - mean) * (x[j] - mean);
        }
        /* the standard error of a sample's root mean square is at most std/sqrt(2n) */
        const double bound = 5 * std / sqrt(2 * (double)n);
        ck_assert_msg(fabs(sqrt(squares / (double)n) - std) <= bound, "%s: %g, not %g +- %g",
                      lnstab_tensor_name(t), sqrt(squares / (double)n), std, bound);
    }
    free(json);
    lnstab_model_destroy(m);
}
END_TEST

START_TEST(test_coefficients_are_those_of_each_layer) {
    lnstab_model *m = new_model("placement=custom layers=4 width=4 vocab=2 alpha=2*L^0.5 "
                                "beta=3*l^-1 kappa=0.5 norm_out=1 norm=rms");
    char *json = describe(m);
    for (int l = 1; l <= 4; ++l) {
        static const char *const kinds[] = {"attn", "ffn"};
        for (int k = 0; k < 2; ++k) {
            char name[32];
            snprintf(name, sizeof name, "layer.%d.%s", l, kinds[k]);
            ck_assert_double_eq(number_of(json, name, "alpha"), 4);
            ck_assert_double_eq_tol(number_of(json, name, "beta"), 3.0 / l, 1e-15);
            ck_assert_double_eq(number_of(json, name, "kappa"), 0.5);
        }
    }
    ck_assert_ptr_ne(
        strstr(json, "\"norm_in\": \"none\", \"norm_out\": \"rms\", \"norm_res\": \"none\""), NULL);
    ck_assert_ptr_eq(strstr(json, "\"norm_in\": \"rms\""), NULL);
    /* the gains as well, and not the formula of a placement that this no longer is */
    ck_assert_double_eq(number_of(json, "layer.2.attn", "gain_v"), 1);
    ck_assert_double_eq(number_of(json, "layer.2.ffn", "gain_w2"), 1);
    ck_assert_ptr_ne(strstr(json, "x' = N_res(alpha x + beta N_out"), NULL);
    free(json);
    lnstab_model_destroy(m);
}
END_TEST

START_TEST(test_a_mixed_model_is_described_layer_by_layer) {
    lnstab_model *m = new_model("placement=mix mix_fraction=0.5 layers=5 width=4 vocab=2");
    char *json = describe(m);
    for (int l = 1; l <= 5; ++l) {
        char wanted[128];
        snprintf(
            wanted, sizeof wanted,
            "\"layer.%d.ffn\", \"norm_in\": \"%s\", \"norm_out\": \"none\", \"norm_res\": \"%s\"",
            l, l <= 2 ? "none" : "layer", l <= 2 ? "layer" : "none");
        ck_assert_msg(strstr(json, wanted) != NULL, "no %s", wanted);
    }
    free(json);
    lnstab_model_destroy(m);
}
END_TEST

/* GPT-2's block of 124M has the published number of parameters, less positions and the tied head. */
START_TEST(test_parameter_count_of_a_known_model) {
    lnstab_model *m = new_model("placement=pre layers=12 width=768 heads=12 vocab=50257 head=none "
                                "gradients=0 max_tokens=1");
    char *json = describe(m), wanted[64];
    snprintf(wanted, sizeof wanted, "\"parameter_count\": %d,\n", 124439808 - 1024 * 768);
    ck_assert_msg(strstr(json, wanted) != NULL, "no %s", wanted);
    free(json);
    lnstab_model_destroy(m);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("describe");
    TCase *cases = tcase_create("describe");
    tcase_set_timeout(cases, 30);
    tcase_add_loop_test(cases, test_measured_spread_is_the_described_one, 0, 5);
    tcase_add_test(cases, test_coefficients_are_those_of_each_layer);
    tcase_add_test(cases, test_a_mixed_model_is_described_layer_by_layer);
    tcase_add_test(cases, test_parameter_count_of_a_known_model);
    suite_add_tcase(suite, cases);
    return run_suite(suite);
}
