/* analysis/claim_arguments.c: who gives an argument, and what it may be. */

#include "analysis/claim_arguments.h"

#include <stdio.h>

#include "support/main.h"
#include "unit/harness.h"

#define ALL "layer sublayer tokens coherence start epsilon level delta tau"

static int32_t parse(const char *wanted, enum lnstab__teller teller, const char *text,
                     struct lnstab__claim_arguments *out, struct lnstab__message *message) {
    *message = (struct lnstab__message){{0}};
    return lnstab__claim_arguments_parse(message, "x.y", wanted, teller, text, out);
}

START_TEST(test_all_of_a_caller) {
    struct lnstab__claim_arguments a = {0};
    struct lnstab__message message;
    ck_assert_int_eq(parse(ALL, LNSTAB__CALLER,
                           "layer=1 sublayer=2 tokens=3 coherence=-0.5 start=4.5 epsilon=5.5 "
                           "level=0.25 delta=6.5 tau=7.5",
                           &a, &message),
                     LNSTAB_OK);
    const double got[] = {a.layer,   a.sublayer, a.tokens, a.coherence, a.start,
                          a.epsilon, a.level,    a.delta,  a.tau};
    const double wanted[] = {1, 2, 3, -0.5, 4.5, 5.5, 0.25, 6.5, 7.5};
    for (size_t i = 0; i < 9; ++i) {
        assert_near("argument", i, got[i], wanted[i], 0);
    }
}
END_TEST

/* A model is asked about a place and a level; it tells the rest, and nobody else does. */
START_TEST(test_of_a_model) {
    static const char *const told[] = {"tokens=3", "coherence=0", "start=1", "delta=0", "tau=0"};
    static const char *const mine[] = {"layer", "sublayer", "epsilon", "level"};
    struct lnstab__claim_arguments a = {0};
    struct lnstab__message message;
    ck_assert_int_eq(
        parse(ALL, LNSTAB__MODEL, "layer=1 sublayer=2 epsilon=3 level=0.5", &a, &message),
        LNSTAB_OK);
    ck_assert_double_eq(a.layer + a.sublayer + a.epsilon + a.level, 6.5);
    for (size_t i = 0; i < sizeof told / sizeof *told; ++i) {
        char said[80];
        snprintf(said, sizeof said, "%.*s is what the model tells itself",
                 (int)strcspn(told[i], "="), told[i]);
        ck_assert_int_eq(parse(ALL, LNSTAB__MODEL, told[i], &a, &message), LNSTAB_ERROR_NAME);
        ck_assert_str_eq(message.text, said);
        ck_assert_int_eq(parse("layer", LNSTAB__MODEL, told[i], &a, &message), LNSTAB_ERROR_NAME);
        ck_assert_str_eq(message.text, said);
    }
    for (size_t i = 0; i < sizeof mine / sizeof *mine; ++i) {
        char said[80];
        snprintf(said, sizeof said, "x.y needs %s", mine[i]);
        ck_assert_int_eq(parse(mine[i], LNSTAB__MODEL, "", &a, &message), LNSTAB_ERROR_ARGUMENT);
        ck_assert_str_eq(message.text, said);
    }
    ck_assert_int_eq(parse("tokens tau", LNSTAB__MODEL, "", &a, &message), LNSTAB_OK);
    ck_assert_int_eq(parse("tokens tau", LNSTAB__MODEL, "depth=1", &a, &message),
                     LNSTAB_ERROR_NAME);
    ck_assert_str_eq(message.text, "x.y takes tokens tau, not 'depth'");
}
END_TEST

START_TEST(test_ranges) {
    static const struct {
        const char *text, *said;
    } rows[] = {{"layer=0", "layer '0' is not a whole number of at least 1"},
                {"layer=1.5", "layer '1.5' is not a whole number of at least 1"},
                {"start=-1", "start '-1' is not a number of at least 0"},
                {"coherence=2", "coherence '2' is not a number of at least -1 and at most 1"},
                {"level=0", "level '0' is not a number above 0 and below 1"},
                {"level=1", "level '1' is not a number above 0 and below 1"},
                {"level=-0.5", "level '-0.5' is not a number above 0 and below 1"},
                {"level=nan", "level 'nan' is not a number above 0 and below 1"},
                {"level=x", "level 'x' is not a number above 0 and below 1"}};
    struct lnstab__claim_arguments a = {.level = -77, .layer = -77, .start = -77, .coherence = -77};
    struct lnstab__message message;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        ck_assert_int_eq(parse(ALL, LNSTAB__CALLER, rows[i].text, &a, &message),
                         LNSTAB_ERROR_ARGUMENT);
        ck_assert_str_eq(message.text, rows[i].said);
    }
    ck_assert_double_eq(a.level + a.layer + a.start + a.coherence, 4 * -77);
    ck_assert_int_eq(parse("level", LNSTAB__CALLER, "level=1e-300", &a, &message), LNSTAB_OK);
    ck_assert_int_eq(parse("level", LNSTAB__CALLER, "level=0.9999999999999999", &a, &message),
                     LNSTAB_OK);
}
END_TEST

int main(void) {
    const TTest *const tests[] = {test_all_of_a_caller, test_of_a_model, test_ranges};
    return run_tests("claim_arguments", tests, sizeof tests / sizeof *tests);
}
