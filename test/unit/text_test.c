/* base/text.h: words of somebody's text. */

#include "base/text.h"

#include <string.h>

#include "support/main.h"

static struct lnstab__word word_of(const char *text) {
    return (struct lnstab__word){text, strlen(text)};
}

START_TEST(test_comparisons) {
    ck_assert(lnstab__text_is("width", 5, "width"));
    ck_assert(lnstab__text_is("widthless", 5, "width"));
    ck_assert(!lnstab__text_is("width", 4, "width"));
    ck_assert(!lnstab__text_is("width", 5, "widt"));
    ck_assert(!lnstab__text_is("Width", 5, "width"));
    ck_assert(lnstab__text_is("x", 0, ""));
    ck_assert(lnstab__words_equal(word_of("ab"), word_of("ab")));
    ck_assert(!lnstab__words_equal(word_of("ab"), word_of("ac")));
    ck_assert(!lnstab__words_equal(word_of("ab"), word_of("abc")));
    ck_assert(!lnstab__words_equal(word_of("abc"), word_of("ab")));
}
END_TEST

START_TEST(test_words_are_cut) {
    const char *rest = " \t layers=12\nwidth=64\r\n\v\fx  ";
    static const char *const wanted[] = {"layers=12", "width=64", "x"};
    for (int i = 0; i < 3; ++i) {
        struct lnstab__word w = lnstab__text_next_word(&rest);
        ck_assert_msg(lnstab__text_is(w.at, w.length, wanted[i]), "%.*s", (int)w.length, w.at);
    }
    for (int i = 0; i < 2; ++i) {
        ck_assert_uint_eq(lnstab__text_next_word(&rest).length, 0);
        ck_assert_str_eq(rest, "");
    }
    const char *none = "";
    ck_assert_uint_eq(lnstab__text_next_word(&none).length, 0);
}
END_TEST

START_TEST(test_assignments_are_cut) {
    const char *rest = "# first\n a=1 b = 2#c=3\n\t d\t=\t4\r\n=5 e=\n f= # none\ng=x=y#";
    static const char *const wanted[][2] = {{"a", "1"}, {"b", "2"}, {"d", "4"},  {"", "5"},
                                            {"e", ""},  {"f", ""},  {"g", "x=y"}};
    struct lnstab__word name, value;
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; ++i) {
        ck_assert_int_eq(lnstab__text_next_assignment(&rest, &name, &value), 1);
        ck_assert_msg(lnstab__text_is(name.at, name.length, wanted[i][0]), "%d", (int)i);
        ck_assert_msg(lnstab__text_is(value.at, value.length, wanted[i][1]), "%d", (int)i);
    }
    ck_assert_int_eq(lnstab__text_next_assignment(&rest, &name, &value), 0);
    ck_assert_str_eq(rest, "");
    rest = "a=1 stray # x\n b\n=2";
    ck_assert_int_eq(lnstab__text_next_assignment(&rest, &name, &value), 1);
    ck_assert_int_eq(lnstab__text_next_assignment(&rest, &name, &value), -1);
    ck_assert(lnstab__text_is(name.at, name.length, "stray"));
    ck_assert_int_eq(lnstab__text_next_assignment(&rest, &name, &value), -1);
    ck_assert(lnstab__text_is(name.at, name.length, "b"));
}
END_TEST

START_TEST(test_words_of_a_list) {
    const char *list = "post-ln postln  gpt2";
    ck_assert(lnstab__text_has_word(list, "post-ln", 7));
    ck_assert(lnstab__text_has_word(list, "postln", 6));
    ck_assert(lnstab__text_has_word(list, "gpt2", 4));
    ck_assert(lnstab__text_has_word(list, "gpt2x", 4));
    ck_assert(!lnstab__text_has_word(list, "gpt", 3));
    ck_assert(!lnstab__text_has_word(list, "gpt22", 5));
    ck_assert(!lnstab__text_has_word(list, "post-ln postln", 14));
    ck_assert(!lnstab__text_has_word(list, "", 0));
    ck_assert(!lnstab__text_has_word("", "a", 1));
    ck_assert(!lnstab__text_has_word("", "", 0));
}
END_TEST

static void assert_split(const char *text, const char *before, const char *after) {
    struct lnstab__word left, right;
    ck_assert(lnstab__text_split(word_of(text), '=', &left, &right));
    ck_assert(lnstab__text_is(left.at, left.length, before));
    ck_assert(lnstab__text_is(right.at, right.length, after));
}

START_TEST(test_split_at_the_first_mark) {
    assert_split("a=b", "a", "b");
    assert_split("=b", "", "b");
    assert_split("a=", "a", "");
    assert_split("=", "", "");
    assert_split("a=b=c", "a", "b=c");
}
END_TEST

START_TEST(test_split_without_a_mark) {
    struct lnstab__word left = word_of("kept"), right = word_of("kept");
    ck_assert(!lnstab__text_split(word_of("abc"), '=', &left, &right));
    ck_assert(!lnstab__text_split((struct lnstab__word){"ab=c", 2}, '=', &left, &right));
    ck_assert(lnstab__text_is(left.at, left.length, "kept"));
    ck_assert(lnstab__text_is(right.at, right.length, "kept"));
}
END_TEST

int main(void) {
    Suite *suite = suite_create("text");
    TCase *cases = tcase_create("text");
    tcase_add_test(cases, test_comparisons);
    tcase_add_test(cases, test_words_are_cut);
    tcase_add_test(cases, test_assignments_are_cut);
    tcase_add_test(cases, test_words_of_a_list);
    tcase_add_test(cases, test_split_at_the_first_mark);
    tcase_add_test(cases, test_split_without_a_mark);
    suite_add_tcase(suite, cases);
    return run_suite(suite);
}
