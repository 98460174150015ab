/* model/row_keys.h: the keys that a placement's rows answer for. */

#include "model/row_keys.h"

#include <string.h>

#include "support/main.h"

static const struct {
    const char *key;
    int parts;
} row_keys[] = {{"norm_in", 3}, {"norm_out", 3}, {"norm_res", 3}, {"kappa", 3},
                {"alpha", 3},   {"beta", 3},     {"gain_qk", 1},  {"gain_v", 1},
                {"gain_o", 1},  {"gain_w1", 2},  {"gain_w2", 2}};
enum { ROW_KEYS = sizeof row_keys / sizeof *row_keys };

static int id_of(int i) {
    return lnstab__key_find(row_keys[i].key, strlen(row_keys[i].key));
}

START_TEST(test_which_keys_they_are) {
    int found = 0;
    for (int id = 0; id < LNSTAB__KEYS; ++id) {
        found += lnstab__is_row_key(id);
    }
    ck_assert_int_eq(found, ROW_KEYS);
    for (int i = 0; i < ROW_KEYS; ++i) {
        ck_assert_msg(lnstab__is_row_key(id_of(i)), "%s", row_keys[i].key);
        ck_assert_msg(lnstab__row_key_parts(id_of(i)) == row_keys[i].parts, "%s", row_keys[i].key);
    }
}
END_TEST

/* Each key has a place of its own: what is set under one is read under it and under no other. */
START_TEST(test_set_and_get) {
    for (int i = 0; i < ROW_KEYS; ++i) {
        const int is_norm = i < 3;
        struct lnstab__placement_row row = {.states = "x"};
        const struct lnstab__value nothing = {.integer = 0};
        const struct lnstab__value value = {
            .integer = is_norm, .rule = {is_norm ? 0.0 : 2.0, 0.5 * !is_norm, -1.0 * !is_norm}};
        lnstab__row_set(&row, id_of(i), &value);
        for (int j = 0; j < ROW_KEYS; ++j) {
            const struct lnstab__value got = lnstab__row_get(&row, id_of(j));
            ck_assert_msg(lnstab__row_values_equal(got, i == j ? value : nothing), "%s, %s",
                          row_keys[i].key, row_keys[j].key);
        }
    }
}
END_TEST

START_TEST(test_equality) {
    const struct lnstab__value a = {.integer = 1, .rule = {1, 2, 3}};
    const struct lnstab__value others[] = {{.integer = 2, .rule = {1, 2, 3}},
                                           {.integer = 1, .rule = {2, 2, 3}},
                                           {.integer = 1, .rule = {1, 1, 3}},
                                           {.integer = 1, .rule = {1, 2, 2}}};
    const struct lnstab__placement_row row = {.norm_in = 1};
    const struct lnstab__placement_row rows[] = {
        {.norm_in = 0}, {.norm_in = 1, .norm_out = 1}, {.norm_in = 1, .norm_res = 1}};
    ck_assert(lnstab__row_values_equal(a, a) && lnstab__row_norms_equal(&row, &row));
    for (int i = 0; i < 4; ++i) {
        ck_assert(!lnstab__row_values_equal(a, others[i]));
    }
    for (int i = 0; i < 3; ++i) {
        ck_assert(!lnstab__row_norms_equal(&row, &rows[i]));
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("row_keys");
    TCase *cases = tcase_create("row_keys");
    tcase_add_test(cases, test_which_keys_they_are);
    tcase_add_test(cases, test_set_and_get);
    tcase_add_test(cases, test_equality);
    suite_add_tcase(suite, cases);
    return run_suite(suite);
}
