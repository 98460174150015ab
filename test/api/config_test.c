/* Configuration: every key of the table, bad input of every kind, and that what was set is in force. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/handles.h"
#include "support/main.h"

static const char *cell(int32_t row, const char *column) {
    return lnstab_table_text("keys", row, column);
}

static void expect_text(lnstab_config *c, const char *key, const char *wanted) {
    char text[128];
    size_t needed;
    ck_good(lnstab_config_message(c), lnstab_config_get_str(c, key, text, sizeof text, &needed));
    ck_assert_str_eq(text, wanted);
    ck_assert_uint_eq(needed, strlen(wanted) + 1);
}

static void expect_failure(lnstab_config *c, int32_t wanted, const char *message,
                           const char *assignments) {
    ck_assert_int_eq(lnstab_config_set(c, assignments), wanted);
    ck_assert_msg(strstr(lnstab_config_message(c), message) != NULL, "'%s' says '%s', not '%s'",
                  assignments, lnstab_config_message(c), message);
}

START_TEST(test_every_integer_key_keeps_its_range) {
    lnstab_config *c = new_config("");
    int integers = 0;
    for (int32_t i = 0; i < lnstab_table_count("keys"); ++i) {
        if (strcmp(cell(i, "type"), "integer") == 0) {
            const char *key = cell(i, "name");
            char *end;
            const long long low = strtoll(cell(i, "range"), &end, 10);
            ck_assert_int_eq(strncmp(end, "..", 2), 0);
            const long long high = strtoll(end + 2, NULL, 10);
            int64_t value;
            ck_assert_int_eq(lnstab_config_set_i64(c, key, low), LNSTAB_OK);
            ck_assert_int_eq(lnstab_config_get_i64(c, key, &value), LNSTAB_OK);
            ck_assert_int_eq(value, low);
            ck_assert_int_eq(lnstab_config_set_i64(c, key, high), LNSTAB_OK);
            ck_assert_int_eq(lnstab_config_set_i64(c, key, low - 1), LNSTAB_ERROR_ARGUMENT);
            ck_assert_ptr_ne(strstr(lnstab_config_message(c), cell(i, "range")), NULL);
            ck_assert_int_eq(lnstab_config_set_i64(c, key, high + 1), LNSTAB_ERROR_ARGUMENT);
            ck_assert_int_eq(lnstab_config_get_i64(c, key, &value), LNSTAB_OK);
            ck_assert_int_eq(value, high);
            integers++;
        }
    }
    ck_assert_int_ge(integers, 15);
    lnstab_config_destroy(c);
}
END_TEST

START_TEST(test_every_choice_is_taken_and_nothing_else) {
    lnstab_config *c = new_config("");
    int choices = 0;
    for (int32_t i = 0; i < lnstab_table_count("keys"); ++i) {
        if (strcmp(cell(i, "type"), "choice") == 0) {
            char words[256], assignment[128];
            snprintf(words, sizeof words, "%s", cell(i, "range"));
            for (char *word = strtok(words, " "); word; word = strtok(NULL, " ")) {
                snprintf(assignment, sizeof assignment, "%s=%s", cell(i, "name"), word);
                ck_good(lnstab_config_message(c), lnstab_config_set(c, assignment));
                expect_text(c, cell(i, "name"), word);
            }
            snprintf(assignment, sizeof assignment, "%s=%s", cell(i, "name"), "nonsense");
            expect_failure(c, LNSTAB_ERROR_NAME, cell(i, "range"), assignment);
            snprintf(assignment, sizeof assignment, "%s=%s", cell(i, "name"), "");
            expect_failure(c, LNSTAB_ERROR_NAME, cell(i, "range"), assignment);
            choices++;
        }
    }
    ck_assert_int_ge(choices, 7);
    lnstab_config_destroy(c);
}
END_TEST

/* A fresh configuration has the default that the table prints, where the default is a value. */
START_TEST(test_defaults_are_the_printed_ones) {
    lnstab_config *c = new_config("");
    int compared = 0;
    for (int32_t i = 0; i < lnstab_table_count("keys"); ++i) {
        const char *otherwise = cell(i, "default");
        if (!strchr(otherwise, ' ')) {
            char assignment[128], held[128];
            lnstab_config *d = new_config("");
            snprintf(assignment, sizeof assignment, "%s=%s", cell(i, "name"), otherwise);
            ck_good(lnstab_config_message(d), lnstab_config_set(d, assignment));
            ck_good(lnstab_config_message(d),
                    lnstab_config_get_str(d, cell(i, "name"), held, sizeof held, NULL));
            expect_text(c, cell(i, "name"), held);
            lnstab_config_destroy(d);
            compared++;
        }
    }
    ck_assert_int_ge(compared, 20);
    expect_text(c, "ffn_width", "2048");
    expect_text(c, "norm_res", "1");
    expect_text(c, "final_norm", "0");
    expect_text(c, "alpha", "1");
    lnstab_config_destroy(c);
}
END_TEST

START_TEST(test_bad_assignments_change_nothing) {
    lnstab_config *c = new_config("layers=3 eps=0.5");
    expect_failure(c, LNSTAB_ERROR_ARGUMENT, "layers 0 is outside 1..100000", "width=7 layers=0");
    expect_failure(c, LNSTAB_ERROR_NAME, "no key 'layer'", "width=7 layer=3");
    expect_failure(c, LNSTAB_ERROR_ARGUMENT, "'width' is not key=value", "layers=9 width");
    expect_failure(c, LNSTAB_ERROR_ARGUMENT, "width '12.5' is not an integer", "width=12.5");
    expect_failure(c, LNSTAB_ERROR_ARGUMENT, "is not an integer", "width=99999999999999999999");
    expect_failure(c, LNSTAB_ERROR_ARGUMENT, "is not an integer", "width=0x10");
    expect_failure(c, LNSTAB_ERROR_ARGUMENT, "is not an integer", "width=");
    expect_failure(c, LNSTAB_ERROR_ARGUMENT, "eps '1,5' is not a number", "eps=1,5");
    expect_failure(c, LNSTAB_ERROR_ARGUMENT, "eps 'nan' is not a number", "eps=nan");
    expect_failure(c, LNSTAB_ERROR_ARGUMENT, "eps -1 is outside 0..1e300", "eps=-1");
    expect_failure(c, LNSTAB_ERROR_ARGUMENT, "eps '1e-400' is not a number", "eps=1e-400");
    expect_failure(c, LNSTAB_ERROR_ARGUMENT, "beta 'x' is not a rule", "beta=x");
    expect_failure(c, LNSTAB_ERROR_ARGUMENT, "is not a rule", "beta=1*L");
    expect_failure(c, LNSTAB_ERROR_ARGUMENT, "is not a rule", "beta=1*L^1*L^2");
    expect_failure(c, LNSTAB_ERROR_ARGUMENT, "is not a rule", "beta=1*k^2");
    expect_failure(c, LNSTAB_ERROR_ARGUMENT, "is not a rule", "beta=1*L^2*");
    expect_failure(c, LNSTAB_ERROR_NAME, "no key ''", "=3");
    expect_text(c, "layers", "3");
    expect_text(c, "width", "512");
    expect_text(c, "eps", "0.5");
    ck_assert_str_eq(lnstab_config_message(c), "");
    lnstab_config_destroy(c);
}
END_TEST

/* Case C14, and the names that mean two things in public code. */
START_TEST(test_unknown_placement_is_an_error) {
    lnstab_config *c = new_config("");
    expect_failure(c, LNSTAB_ERROR_NAME, "not one of: none post pre", "placement=prenorm");
    expect_failure(c, LNSTAB_ERROR_NAME, "not one of", "placement=3");
    expect_failure(c, LNSTAB_ERROR_NAME, "could mean peri", "placement=sandwich");
    expect_failure(c, LNSTAB_ERROR_NAME, "could mean post", "placement=post-norm");
    expect_text(c, "placement", "post");
    ck_good(lnstab_config_message(c), lnstab_config_set(c, "placement=gpt2"));
    expect_text(c, "placement", "pre");
    lnstab_config_destroy(c);
}
END_TEST

START_TEST(test_a_set_key_counts_in_any_order) {
    static const char *const orders[] = {"placement=pre beta=0.1", "beta=0.1 placement=pre",
                                         "dt=0.1 placement=peri placement=pre"};
    for (int i = 0; i < 3; ++i) {
        lnstab_config *c = new_config(orders[i]);
        expect_text(c, "placement", "pre");
        expect_text(c, "beta", "0.1");
        expect_text(c, "dt", "0.1");
        expect_text(c, "norm_in", "1");
        expect_text(c, "final_norm", "1");
        lnstab_config_destroy(c);
    }
    lnstab_config *c = new_config("norm_out=1 placement=pre final_norm=0 kappa=2*L^-1*l^0.5");
    expect_text(c, "norm_out", "1");
    expect_text(c, "norm_in", "1");
    expect_text(c, "final_norm", "0");
    expect_text(c, "kappa", "2*L^-1*l^0.5");
    lnstab_config_destroy(c);
}
END_TEST

START_TEST(test_a_mixed_placement_has_no_single_row) {
    lnstab_config *c = new_config("placement=mix");
    int64_t value;
    ck_assert_int_eq(lnstab_config_get_i64(c, "norm_in", &value), LNSTAB_ERROR_UNAVAILABLE);
    ck_assert_str_eq(lnstab_config_message(c),
                     "norm_in differs between the sublayers of placement=mix");
    ck_good(lnstab_config_message(c), lnstab_config_get_i64(c, "norm_out", &value));
    ck_assert_int_eq(value, 0);
    ck_good(lnstab_config_message(c), lnstab_config_set(c, "mix_fraction=0"));
    expect_text(c, "norm_in", "1");
    expect_text(c, "norm_res", "0");
    ck_good(lnstab_config_message(c), lnstab_config_set(c, "mix_fraction=1"));
    expect_text(c, "norm_in", "0");
    expect_text(c, "norm_res", "1");
    ck_good(lnstab_config_message(c), lnstab_config_set(c, "mix_fraction=0.5 norm_in=1"));
    ck_good(lnstab_config_message(c), lnstab_config_get_i64(c, "norm_in", &value));
    ck_assert_int_eq(value, 1);
    lnstab_config_destroy(c);
}
END_TEST

/* placement=mix, key by key: a model built from scoped keys is the same model to the last bit. */
START_TEST(test_scoped_keys_reach_the_model) {
    static const char *const words[] = {
        "placement=mix", "placement=pre layer.1-2.norm_in=0 layer.1-2.norm_res=1",
        "placement=custom final_norm=1 norm_in=1 # all\nlayer.1-2.norm_in = 0 layer.1-2.norm_res=1",
        "placement=pre layer.1-2.norm_in=0 layer.1-2.norm_res=1 layer.3.ffn.beta=0.5"};
    static const int32_t text[4] = {1, 2, 3, 4};
    double loss[4];
    for (int i = 0; i < 4; ++i) {
        lnstab_config *c = new_config("layers=4 width=16 heads=2 vocab=9 dtype=float64");
        ck_good(lnstab_config_message(c), lnstab_config_set(c, words[i]));
        lnstab_model *m;
        ck_good(lnstab_config_message(c), lnstab_model_create(c, &m));
        ck_good(lnstab_model_message(m), lnstab_model_init(m, 3));
        ck_good(lnstab_model_message(m), lnstab_model_forward(m, 1, 4, text, NULL));
        ck_good(lnstab_model_message(m), lnstab_model_loss(m, text, &loss[i], NULL));
        ck_assert_int_eq(lnstab_model_tensor(m, "layer.2.attn.norm_res.gamma") != NULL, 1);
        ck_assert_int_eq(lnstab_model_tensor(m, "layer.3.attn.norm_res.gamma") != NULL, 0);
        lnstab_model_destroy(m);
        lnstab_config_destroy(c);
    }
    ck_assert(loss[1] == loss[0] && loss[2] == loss[0]);
    ck_assert(loss[3] != loss[0]);
}
END_TEST

START_TEST(test_scopes_that_are_refused) {
    static const struct {
        const char *words, *said;
        int32_t status;
    } rows[] = {{"layer.3.width=8", "width is a key of the whole model: no 'layer.3.width'",
                 LNSTAB_ERROR_NAME},
                {"ffn.gain_qk=0", "gain_qk is a key of attn: no 'ffn.gain_qk'", LNSTAB_ERROR_NAME},
                {"layer.2-1.beta=0",
                 "'layer.2-1.beta' is not layer.N.key or layer.N-M.key of layers 1..L",
                 LNSTAB_ERROR_NAME},
                {"beta", "'beta' is not key=value", LNSTAB_ERROR_ARGUMENT}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        lnstab_config *c = new_config("layers=4");
        ck_assert_int_eq(lnstab_config_set(c, rows[i].words), rows[i].status);
        ck_assert_str_eq(lnstab_config_message(c), rows[i].said);
        lnstab_config_destroy(c);
    }
    size_t bytes;
    lnstab_config *c = new_config("layers=4 layer.5.beta=0");
    ck_assert_int_eq(lnstab_model_size(c, &bytes), LNSTAB_ERROR_ARGUMENT);
    ck_assert_str_eq(lnstab_config_message(c), "layer.5 of key beta is outside 1..4");
    ck_good(lnstab_config_message(c), lnstab_config_set(c, "layers=5"));
    ck_good(lnstab_config_message(c), lnstab_model_size(c, &bytes));
    lnstab_config_destroy(c);
}
END_TEST

/* A rule whose coefficient overflows in a layer there is; one that is 0 whatever its powers. */
START_TEST(test_rules_must_be_finite) {
    static const char *const endless[][2] = {
        {"alpha=1e300*L^300", "alpha is not finite in layer 1"},
        {"gain_embed=1e308*L^10", "gain_embed is not finite in layer 1"},
        {"placement=mix gain_v=1*l^5000", "gain_v is not finite in layer 3"},
    };
    size_t bytes;
    for (int i = 0; i < 3; ++i) {
        lnstab_config *c = new_config(endless[i][0]);
        ck_assert_int_eq(lnstab_model_size(c, &bytes), LNSTAB_ERROR_ARGUMENT);
        ck_assert_str_eq(lnstab_config_message(c), endless[i][1]);
        lnstab_config_destroy(c);
    }
    lnstab_config *c = new_config("alpha=0*L^500");
    ck_good(lnstab_config_message(c), lnstab_model_size(c, &bytes));
    lnstab_config_destroy(c);
}
END_TEST

START_TEST(test_types_are_kept_apart) {
    lnstab_config *c = new_config("");
    int64_t integer = 77;
    double number = 77;
    ck_assert_int_eq(lnstab_config_set_i64(c, "eps", 1), LNSTAB_ERROR_ARGUMENT);
    ck_assert_str_eq(lnstab_config_message(c), "eps is of type number, not integer");
    ck_assert_int_eq(lnstab_config_set_f64(c, "layers", 1), LNSTAB_ERROR_ARGUMENT);
    ck_assert_int_eq(lnstab_config_set_f64(c, "beta", 1), LNSTAB_ERROR_ARGUMENT);
    ck_assert_int_eq(lnstab_config_set_rule(c, "eps", 1, 0, 0), LNSTAB_ERROR_ARGUMENT);
    ck_assert_int_eq(lnstab_config_set_f64(c, "eps", NAN), LNSTAB_ERROR_ARGUMENT);
    ck_assert_int_eq(lnstab_config_set_rule(c, "beta", INFINITY, 0, 0), LNSTAB_ERROR_ARGUMENT);
    ck_assert_int_eq(lnstab_config_get_i64(c, "eps", &integer), LNSTAB_ERROR_ARGUMENT);
    ck_assert_int_eq(lnstab_config_get_f64(c, "placement", &number), LNSTAB_ERROR_ARGUMENT);
    ck_assert_int_eq(lnstab_config_get_f64(c, "no", &number), LNSTAB_ERROR_NAME);
    ck_assert_int_eq(integer, 77);
    ck_assert_double_eq(number, 77);
    ck_good(lnstab_config_message(c), lnstab_config_set_f64(c, "eps", 0.25));
    ck_good(lnstab_config_message(c), lnstab_config_get_f64(c, "eps", &number));
    ck_assert_double_eq(number, 0.25);
    ck_good(lnstab_config_message(c), lnstab_config_set_rule(c, "beta", 0.5, -1, 0.25));
    expect_text(c, "beta", "0.5*L^-1*l^0.25");
    lnstab_config_destroy(c);
}
END_TEST

START_TEST(test_null_arguments_are_errors) {
    lnstab_config *c = new_config(""), *other = NULL;
    size_t needed;
    ck_assert_int_eq(lnstab_config_create(NULL, NULL, NULL, NULL), LNSTAB_ERROR_ARGUMENT);
    ck_assert_int_eq(lnstab_config_create(NULL, (lnstab_free_fn *)1, NULL, &other),
                     LNSTAB_ERROR_ARGUMENT);
    ck_assert_ptr_eq(other, NULL);
    ck_assert_int_eq(lnstab_config_set(NULL, "layers=1"), LNSTAB_ERROR_ARGUMENT);
    ck_assert_int_eq(lnstab_config_set(c, NULL), LNSTAB_ERROR_ARGUMENT);
    ck_assert_str_eq(lnstab_config_message(c), "assignments is NULL");
    ck_assert_int_eq(lnstab_config_set_i64(c, NULL, 1), LNSTAB_ERROR_ARGUMENT);
    ck_assert_int_eq(lnstab_config_set_f64(c, NULL, 1), LNSTAB_ERROR_ARGUMENT);
    ck_assert_int_eq(lnstab_config_set_rule(NULL, "beta", 1, 0, 0), LNSTAB_ERROR_ARGUMENT);
    ck_assert_int_eq(lnstab_config_get_i64(c, "layers", NULL), LNSTAB_ERROR_ARGUMENT);
    ck_assert_int_eq(lnstab_config_get_f64(NULL, "eps", NULL), LNSTAB_ERROR_ARGUMENT);
    ck_assert_int_eq(lnstab_config_get_str(c, "layers", NULL, 4, NULL), LNSTAB_ERROR_ARGUMENT);
    ck_assert_int_eq(lnstab_config_get_str(c, "layers", NULL, 0, &needed), LNSTAB_ERROR_CAPACITY);
    ck_assert_uint_eq(needed, 2);
    ck_assert_ptr_ne(lnstab_config_message(NULL), NULL);
    lnstab_config_destroy(NULL);
    lnstab_config_destroy(c);
}
END_TEST

START_TEST(test_tables_answer_only_what_they_have) {
    static const char *const tables[] = {"keys", "placements", "claims"};
    for (int i = 0; i < 3; ++i) {
        const int32_t rows = lnstab_table_count(tables[i]);
        ck_assert_int_gt(rows, 0);
        for (int32_t row = 0; row < rows; ++row) {
            const char *name = lnstab_table_text(tables[i], row, "name");
            ck_assert_ptr_ne(name, NULL);
            for (int32_t before = 0; before < row; ++before) {
                ck_assert_str_ne(name, lnstab_table_text(tables[i], before, "name"));
            }
        }
        ck_assert_ptr_eq(lnstab_table_text(tables[i], rows, "name"), NULL);
        ck_assert_ptr_eq(lnstab_table_text(tables[i], -1, "name"), NULL);
        ck_assert_ptr_eq(lnstab_table_text(tables[i], 0, "colour"), NULL);
        ck_assert_ptr_eq(lnstab_table_text(tables[i], 0, NULL), NULL);
    }
    ck_assert_int_eq(lnstab_table_count("tables"), 0);
    ck_assert_int_eq(lnstab_table_count(NULL), 0);
    ck_assert_ptr_eq(lnstab_table_text(NULL, 0, "name"), NULL);
}
END_TEST

/* Every column that the header names exists, for every row. */
START_TEST(test_documented_columns_exist) {
    static const struct {
        const char *table, *columns[8];
    } documented[] = {
        {"keys", {"name", "alias", "type", "range", "default", "help"}},
        {"placements", {"name", "formula", "aliases", "source", "states"}},
        {"claims", {"name", "source", "arguments", "assumptions", "relation", "formula"}},
    };
    for (int i = 0; i < 3; ++i) {
        for (int32_t row = 0; row < lnstab_table_count(documented[i].table); ++row) {
            for (int j = 0; documented[i].columns[j]; ++j) {
                ck_assert_ptr_ne(
                    lnstab_table_text(documented[i].table, row, documented[i].columns[j]), NULL);
            }
        }
    }
}
END_TEST

START_TEST(test_status_texts_differ) {
    for (int32_t a = LNSTAB_ERROR_CAPACITY; a <= LNSTAB_OK; ++a) {
        ck_assert_str_ne(lnstab_status_text(a), "unknown status");
        for (int32_t b = LNSTAB_ERROR_CAPACITY; b < a; ++b) {
            ck_assert_str_ne(lnstab_status_text(a), lnstab_status_text(b));
        }
    }
    ck_assert_str_eq(lnstab_status_text(1), "unknown status");
    ck_assert_str_eq(lnstab_status_text(LNSTAB_ERROR_CAPACITY - 1), "unknown status");
    ck_assert_int_eq(lnstab_version(), 10000 * LNSTAB_VERSION_MAJOR + 100 * LNSTAB_VERSION_MINOR +
                                           LNSTAB_VERSION_PATCH);
    ck_assert_ptr_ne(strstr(lnstab_build_info(), "BLAS "), NULL);
}
END_TEST

int main(void) {
    const TTest *const tests[] = {
        test_every_integer_key_keeps_its_range,
        test_every_choice_is_taken_and_nothing_else,
        test_defaults_are_the_printed_ones,
        test_bad_assignments_change_nothing,
        test_unknown_placement_is_an_error,
        test_a_set_key_counts_in_any_order,
        test_a_mixed_placement_has_no_single_row,
        test_scoped_keys_reach_the_model,
        test_scopes_that_are_refused,
        test_rules_must_be_finite,
        test_types_are_kept_apart,
        test_null_arguments_are_errors,
        test_tables_answer_only_what_they_have,
        test_documented_columns_exist,
        test_status_texts_differ,
    };
    return run_tests("config", tests, sizeof tests / sizeof *tests);
}
