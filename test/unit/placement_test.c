/* model/placement.h: the table of placements. */

#include "model/placement.h"

#include <math.h>
#include <string.h>

#include "base/text.h"
#include "model/keys.h"
#include "support/main.h"

static void assert_close(double got, double wanted) {
    ck_assert_msg(fabs(got - wanted) <= 1e-15 * 4 * fabs(wanted), "%.17g, not %.17g", got, wanted);
}

static const struct lnstab__placement *named(const char *name) {
    const int i = lnstab__placement_find(name, strlen(name));
    ck_assert_msg(i >= 0, "%s", name);
    return lnstab__placement_at(i);
}

START_TEST(test_rule_values) {
    assert_close(lnstab__rule_value((struct lnstab__rule){3, 0, 0}, 7, 5), 3);
    assert_close(lnstab__rule_value((struct lnstab__rule){3, 2, 0}, 7, 5), 147);
    assert_close(lnstab__rule_value((struct lnstab__rule){3, 0, -1}, 7, 5), 0.6);
    assert_close(lnstab__rule_value((struct lnstab__rule){-2, 0.5, 1}, 9, 5), -30);
    /* (l/L)^100, whose factors are out of range */
    assert_close(lnstab__rule_value((struct lnstab__rule){1, -100, 100}, 100000, 50000), 0x1p-100);
    assert_close(lnstab__rule_value((struct lnstab__rule){1, 100, -100}, 100000, 50000), 0x1p100);
    ck_assert_double_eq(lnstab__rule_value((struct lnstab__rule){0, 3, 3}, 9, 5), 0);
    ck_assert_double_eq(lnstab__rule_value((struct lnstab__rule){1.5, 0, 0}, 100000, 100000), 1.5);
}
END_TEST

/* theory.md, section 1: (2L)^(1/4) and (8L)^(-1/4), printed to six digits; the formulas to the last. */
START_TEST(test_deepnorm_constants) {
    static const struct {
        int64_t L;
        double alpha, gain;
    } printed[] = {{6, 1.861210, 0.379918}, {12, 2.213364, 0.319472}, {24, 2.632148, 0.268642}};
    const struct lnstab__placement_row *row = &named("deepnorm")->rows[0];
    for (int i = 0; i < 3; ++i) {
        const int64_t L = printed[i].L;
        const double alpha = lnstab__rule_value(row->alpha, L, 1 + i);
        ck_assert_double_le(fabs(alpha - printed[i].alpha), 5e-7);
        assert_close(alpha, pow(2 * (double)L, 0.25));
        for (int gain = LNSTAB__GAIN_V; gain < LNSTAB__GAINS; ++gain) {
            const double value = lnstab__rule_value(row->gain[gain], L, 1 + i);
            ck_assert_double_le(fabs(value - printed[i].gain), 5e-7);
            assert_close(value, pow(8 * (double)L, -0.25));
        }
        ck_assert_double_eq(lnstab__rule_value(row->gain[LNSTAB__GAIN_QK], L, 1), 1);
        ck_assert_double_eq(lnstab__rule_value(row->beta, L, 1), 1);
    }
}
END_TEST

START_TEST(test_ln_scaling) {
    const struct lnstab__rule kappa = named("ln-scaling")->rows[0].kappa;
    for (int64_t l = 1; l < 30; ++l) {
        assert_close(lnstab__rule_value(kappa, 30, l), 1 / sqrt((double)l));
    }
}
END_TEST

static int rules_are_one(const struct lnstab__placement_row *r) {
    const struct lnstab__rule rules[] = {r->alpha,   r->beta,    r->gain[0], r->gain[1],
                                         r->gain[2], r->gain[3], r->gain[4]};
    for (size_t i = 0; i < sizeof rules / sizeof *rules; ++i) {
        if (rules[i].factor != 1 || rules[i].depth_power != 0 || rules[i].layer_power != 0) {
            return 0;
        }
    }
    return 1;
}

/* theory.md, section 1: which norms each placement has. */
START_TEST(test_norms_of_each_placement) {
    static const struct {
        const char *name;
        int in, out, res, final;
    } wanted[] = {{"none", 0, 0, 0, 0},       {"post", 0, 0, 1, 0},        {"pre", 1, 0, 0, 1},
                  {"peri", 1, 1, 0, 1},       {"output-norm", 0, 1, 0, 1}, {"deepnorm", 0, 0, 1, 0},
                  {"ln-scaling", 1, 0, 0, 1}, {"mix", 0, 0, 1, 1},         {"custom", 0, 0, 0, 0}};
    ck_assert_int_eq(lnstab__placement_count(), 9);
    for (int i = 0; i < 9; ++i) {
        const struct lnstab__placement *p = lnstab__placement_at(i);
        const struct lnstab__placement_row *r = &p->rows[0];
        ck_assert_str_eq(p->name, wanted[i].name);
        ck_assert_int_eq(r->norm_in, wanted[i].in);
        ck_assert_int_eq(r->norm_out, wanted[i].out);
        ck_assert_int_eq(r->norm_res, wanted[i].res);
        ck_assert_int_eq(p->final_norm, wanted[i].final);
        ck_assert_int_eq(rules_are_one(r), strcmp(p->name, "deepnorm") != 0);
        ck_assert_int_eq(r->kappa.layer_power != 0, strcmp(p->name, "ln-scaling") == 0);
        ck_assert_str_ne(p->formula, "");
    }
}
END_TEST

static int rows_equal(const struct lnstab__placement_row *a,
                      const struct lnstab__placement_row *b) {
    return a->norm_in == b->norm_in && a->norm_out == b->norm_out && a->norm_res == b->norm_res &&
           memcmp(&a->kappa, &b->kappa, sizeof a->kappa) == 0 &&
           memcmp(&a->alpha, &b->alpha, sizeof a->alpha) == 0 &&
           memcmp(&a->beta, &b->beta, sizeof a->beta) == 0 &&
           memcmp(a->gain, b->gain, sizeof a->gain) == 0 && strcmp(a->states, b->states) == 0;
}

START_TEST(test_layers_are_alike_but_in_mix) {
    for (int i = 0; i < lnstab__placement_count(); ++i) {
        const struct lnstab__placement *p = lnstab__placement_at(i);
        const int mixed = strcmp(p->name, "mix") == 0;
        ck_assert_msg(rows_equal(&p->rows[0], &p->rows[1]) == !mixed, "%s", p->name);
    }
    ck_assert(rows_equal(&named("mix")->rows[0], &named("post")->rows[0]));
    ck_assert(rows_equal(&named("mix")->rows[1], &named("pre")->rows[0]));
}
END_TEST

START_TEST(test_states_are_five_or_none) {
    for (int i = 0; i < 2 * lnstab__placement_count(); ++i) {
        const char *rest = lnstab__placement_at(i / 2)->rows[i % 2].states;
        int words = 0;
        while (lnstab__text_next_word(&rest).length) {
            ++words;
        }
        ck_assert_msg(words == 0 || words == 5, "%s", lnstab__placement_at(i / 2)->name);
    }
}
END_TEST

/* The key's list of choices is the table, in its order. */
START_TEST(test_key_lists_the_table) {
    const char *rest = lnstab__key_at(LNSTAB__KEY_PLACEMENT)->range;
    for (int i = 0; i < lnstab__placement_count(); ++i) {
        const struct lnstab__word w = lnstab__text_next_word(&rest);
        ck_assert_msg(lnstab__text_is(w.at, w.length, lnstab__placement_at(i)->name), "%.*s",
                      (int)w.length, w.at);
    }
    ck_assert_uint_eq(lnstab__text_next_word(&rest).length, 0);
}
END_TEST

/* Every name and every alias finds its own row, so no two are the same. */
START_TEST(test_names_and_aliases_are_unique) {
    int aliases = 0;
    for (int i = 0; i < lnstab__placement_count(); ++i) {
        const struct lnstab__placement *p = lnstab__placement_at(i);
        ck_assert_int_eq(lnstab__placement_find(p->name, strlen(p->name)), i);
        const char *rest = p->aliases;
        for (struct lnstab__word w = lnstab__text_next_word(&rest); w.length;
             w = lnstab__text_next_word(&rest)) {
            ck_assert_int_eq(lnstab__placement_find(w.at, w.length), i);
            ck_assert_ptr_null(lnstab__placement_ambiguity(w.at, w.length));
            for (int j = 0; j < lnstab__placement_count(); ++j) {
                ck_assert(j == i ||
                          !lnstab__text_has_word(lnstab__placement_at(j)->aliases, w.at, w.length));
            }
            ++aliases;
        }
    }
    ck_assert_int_ge(aliases, 10);
    ck_assert_ptr_eq(named("olmo2"), named("output-norm"));
    ck_assert_ptr_eq(named("gpt2"), named("pre"));
}
END_TEST

START_TEST(test_unknown_and_ambiguous_names) {
    static const char *const ambiguous[] = {"sandwich", "sandwich-ln", "post-norm", "reordered"};
    static const char *const unknown[] = {"",  "Post",          "po", "posts", "post pre",
                                          "1", "post-ln postln"};
    for (size_t i = 0; i < sizeof ambiguous / sizeof *ambiguous; ++i) {
        ck_assert_int_eq(lnstab__placement_find(ambiguous[i], strlen(ambiguous[i])), -1);
        ck_assert_ptr_nonnull(lnstab__placement_ambiguity(ambiguous[i], strlen(ambiguous[i])));
    }
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; ++i) {
        ck_assert_int_eq(lnstab__placement_find(unknown[i], strlen(unknown[i])), -1);
        ck_assert_ptr_null(lnstab__placement_ambiguity(unknown[i], strlen(unknown[i])));
    }
    ck_assert_int_eq(lnstab__placement_find("postpre", 4), 1);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("placement");
    TCase *cases = tcase_create("placement");
    tcase_add_test(cases, test_rule_values);
    tcase_add_test(cases, test_deepnorm_constants);
    tcase_add_test(cases, test_ln_scaling);
    tcase_add_test(cases, test_norms_of_each_placement);
    tcase_add_test(cases, test_layers_are_alike_but_in_mix);
    tcase_add_test(cases, test_states_are_five_or_none);
    tcase_add_test(cases, test_key_lists_the_table);
    tcase_add_test(cases, test_names_and_aliases_are_unique);
    tcase_add_test(cases, test_unknown_and_ambiguous_names);
    suite_add_tcase(suite, cases);
    return run_suite(suite);
}
