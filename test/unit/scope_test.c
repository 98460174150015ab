/* model/scope.h: which sublayers a key is set for. */

#include "model/scope.h"

#include <string.h>

#include "support/main.h"

static int cut(const char *text, struct lnstab__word *name, struct lnstab__scope *scope) {
    *name = (struct lnstab__word){text, strlen(text)};
    return lnstab__scope_cut(name, scope);
}

static int same(struct lnstab__scope a, struct lnstab__scope b) {
    return lnstab__scope_covers(a, b) && lnstab__scope_covers(b, a);
}

START_TEST(test_what_is_a_scope) {
    static const struct {
        const char *text, *rest;
        struct lnstab__scope scope;
        int cut;
    } rows[] = {{"beta", "beta", {1, 0, 3}, 0},
                {"ffn.beta", "beta", {1, 0, 2}, 1},
                {"attn.norm_in", "norm_in", {1, 0, 1}, 1},
                {"layer.3.beta", "beta", {3, 3, 3}, 1},
                {"layer.2-5.ffn.beta", "beta", {2, 5, 2}, 1},
                {"layer.7-7.attn.x", "x", {7, 7, 1}, 1},
                {"layer.4-L.beta", "beta", {4, 0, 3}, 1},
                {"layer.L.ffn.beta", "beta", {0, 0, 2}, 1},
                {"layer.3.ffn.attn.beta", "attn.beta", {3, 3, 2}, 1},
                {"layers", "layers", {1, 0, 3}, 0},
                {"ffn_width", "ffn_width", {1, 0, 3}, 0}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        struct lnstab__word name;
        struct lnstab__scope scope;
        ck_assert_msg(cut(rows[i].text, &name, &scope) == rows[i].cut, "%s", rows[i].text);
        ck_assert_msg(lnstab__text_is(name.at, name.length, rows[i].rest), "%s", rows[i].text);
        ck_assert_msg(same(scope, rows[i].scope), "%s", rows[i].text);
    }
}
END_TEST

START_TEST(test_what_is_none) {
    static const char *const texts[] = {"layer.beta",     "layer.0.beta",
                                        "layer.-1.beta",  "layer.5-4.beta",
                                        "layer.1-.beta",  "layer.-4.beta",
                                        "layer.L-4.beta", "layer.1.5",
                                        "layer.x.beta",   "layer..beta",
                                        "layer.3-5-7.b",  "layer.1-l.beta",
                                        "layer.",         "layer.99999999999999999999.beta"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i) {
        struct lnstab__word name;
        struct lnstab__scope scope;
        const int got = cut(texts[i], &name, &scope);
        if (strcmp(texts[i], "layer.1.5") == 0) {
            ck_assert(got == 1 && lnstab__text_is(name.at, name.length, "5")); /* no key's name */
        } else {
            ck_assert_msg(got == -1, "%s", texts[i]);
        }
    }
}
END_TEST

START_TEST(test_the_sublayers_in_it) {
    static const struct {
        struct lnstab__scope scope;
        const char *in; /* of 4 layers, attention and FFN in turn */
    } rows[] = {{{1, 0, 3}, "11111111"}, {{1, 0, 1}, "10101010"}, {{1, 0, 2}, "01010101"},
                {{2, 3, 3}, "00111100"}, {{2, 0, 2}, "00010101"}, {{0, 0, 1}, "00000010"},
                {{4, 4, 3}, "00000011"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        for (int64_t k = 0; k < 8; ++k) {
            ck_assert_int_eq(lnstab__scope_has(rows[i].scope, 4, k), rows[i].in[k] == '1');
        }
    }
    ck_assert_int_eq(lnstab__scope_end(0, 9), 9);
    ck_assert_int_eq(lnstab__scope_end(4, 9), 4);
}
END_TEST

START_TEST(test_covering) {
    static const struct {
        struct lnstab__scope a, b;
        int covers;
    } rows[] = {{{1, 0, 3}, {2, 5, 1}, 1}, {{1, 0, 1}, {2, 5, 3}, 0}, {{2, 5, 3}, {2, 5, 3}, 1},
                {{2, 5, 3}, {1, 5, 3}, 0}, {{2, 5, 3}, {3, 0, 3}, 0}, {{2, 0, 2}, {0, 0, 2}, 1},
                {{0, 0, 3}, {4, 4, 3}, 0}, {{4, 4, 3}, {0, 0, 3}, 0}, {{1, 9, 3}, {4, 9, 2}, 1}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        ck_assert_msg(lnstab__scope_covers(rows[i].a, rows[i].b) == rows[i].covers, "%d", (int)i);
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("scope");
    TCase *cases = tcase_create("scope");
    tcase_add_test(cases, test_what_is_a_scope);
    tcase_add_test(cases, test_what_is_none);
    tcase_add_test(cases, test_the_sublayers_in_it);
    tcase_add_test(cases, test_covering);
    suite_add_tcase(suite, cases);
    return run_suite(suite);
}
