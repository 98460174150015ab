/* math/box_muller.h: the radius and the turn of a word, in units of the last place of a double. */

#include "math/box_muller.h"

#include "support/main.h"
#include "unit/harness.h"

enum { STRIDE = 4099, NEAR = 300 };

/* doc/numerics.md: the largest errors over all 2^32 words, rounded up, and the words that have them. */
static const double LOG_PLACES = 0.91, RADIUS_PLACES = 1.03, TURN_PLACES = 1.88;
static const uint32_t WORST[] = {0xB500F40EU, 0xB4EA3A9CU, 0x1F7A3773U, 0x152B2EAFU};

/* 2^-52 times the power of two below |x|: the last place of a double of this size. */
static long double last_place(long double x) {
    int exponent;
    frexpl(x, &exponent);
    return ldexpl(1, exponent - 53);
}

static double error_in_places(double got, long double wanted) {
    return (double)(fabsl((long double)got - wanted) / last_place(wanted));
}

static long double log_of(uint32_t word) {
    return logl(((long double)word + 0.5L) * 0x1p-32L);
}

/* cos(2 pi t/2^32), of an angle below an eighth of a turn: cosl rounds the argument, which near a zero of
 * the cosine would be the value. */
static long double cosine_of(long double t) {
    const long double unit = 0x1p-31L * 3.14159265358979323846264338327950288L;
    t = fabsl(t) > 0x1p31L ? 0x1p32L - fabsl(t) : fabsl(t);
    if (t > 0x1p30L) {
        return -cosine_of(0x1p31L - t);
    }
    return t > 0x1p29L ? sinl((0x1p30L - t) * unit) : cosl(t * unit);
}

static void check_word(uint32_t word) {
    const long double log_u = log_of(word), t = (long double)word + 0.5L;
    const struct lnstab__pair turn = lnstab__turn_of_word(word);
    assert_near("log", word, error_in_places(lnstab__log_of_word(word), log_u), 0, LOG_PLACES);
    assert_near("radius", word, error_in_places(lnstab__radius_of_word(word), sqrtl(-2 * log_u)), 0,
                RADIUS_PLACES);
    assert_near("cosine", word, error_in_places(turn.first, cosine_of(t)), 0, TURN_PLACES);
    assert_near("sine", word, error_in_places(turn.second, cosine_of(t - 0x1p30L)), 0, TURN_PLACES);
}

START_TEST(test_errors_of_words_all_over) {
    for (uint64_t word = 0; word < 1ULL << 32; word += STRIDE) {
        check_word((uint32_t)word);
        check_word(~(uint32_t)word);
    }
}
END_TEST

/* The worst words, every eighth of a turn, every power of two, and sqrt 1/2 times each, where e and m change. */
START_TEST(test_errors_at_the_edges) {
    for (size_t i = 0; i < sizeof WORST / sizeof *WORST; ++i) {
        check_word(WORST[i]);
    }
    for (uint32_t k = 0; k < 2 * NEAR; ++k) {
        for (uint32_t eighth = 0; eighth < 8; ++eighth) {
            check_word((eighth << 29) + k - NEAR);
        }
        for (int power = 0; power < 32; ++power) {
            check_word((1U << power) + k - NEAR);
            check_word((uint32_t)(0xB504F333U >> power) + k - NEAR);
        }
    }
}
END_TEST

/* The largest radius and the smallest: u = 2^-33, and 1 - 2^-33, whose log is -2^-33 (1 + 2^-34 + ...). */
START_TEST(test_ends) {
    ck_assert_double_lt(lnstab__radius_of_word(0), 6.77);
    ck_assert_double_gt(lnstab__radius_of_word(0), 6.76);
    ck_assert_double_eq(lnstab__log_of_word(UINT32_MAX), -(0x1p-33 + 0x1p-67));
}
END_TEST

/* The words w, ~w and w + 2^30 are the angles t, -t and t + pi/2: to the bit. So the errors over the first
 * eighth of the words are those over all. */
START_TEST(test_turns_of_a_quarter_and_back_are_exact) {
    for (uint64_t word = 0; word < 1ULL << 32; word += STRIDE) {
        const uint32_t w = (uint32_t)word;
        const struct lnstab__pair turn = lnstab__turn_of_word(w);
        const struct lnstab__pair back = lnstab__turn_of_word(~w);
        const struct lnstab__pair quarter = lnstab__turn_of_word(w + 0x40000000U);
        require(back.first == turn.first && back.second == -turn.second, "back from %u", w);
        require(quarter.first == -turn.second && quarter.second == turn.first, "on from %u", w);
    }
}
END_TEST

/* A normal number is a product of two: within 3.5 of 2^-52 of itself. */
START_TEST(test_pairs) {
    for (uint64_t word = 0; word < 1ULL << 32; word += STRIDE) {
        const uint32_t u = (uint32_t)word, v = u * 2654435761U;
        const long double radius = sqrtl(-2 * log_of(u)), t = (long double)v + 0.5L;
        const double first = (double)(radius * cosine_of(t)),
                     second = (double)(radius * cosine_of(t - 0x1p30L));
        const struct lnstab__pair z = lnstab__normal_pair(u, v),
                                  uniform = lnstab__uniform_pair(u, v);
        assert_near("first", u, z.first, first, 3.5 * DBL_EPSILON * fabs(first));
        assert_near("second", u, z.second, second, 3.5 * DBL_EPSILON * fabs(second));
        require(uniform.first == ldexp((double)u + 0.5, -32), "uniform of %u", u);
        require(uniform.second == ldexp((double)v + 0.5, -32), "uniform of %u", v);
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("box_muller");
    TCase *cases = tcase_create("box_muller");
    tcase_set_timeout(cases, 60);
    tcase_add_test(cases, test_errors_of_words_all_over);
    tcase_add_test(cases, test_errors_at_the_edges);
    tcase_add_test(cases, test_ends);
    tcase_add_test(cases, test_turns_of_a_quarter_and_back_are_exact);
    tcase_add_test(cases, test_pairs);
    suite_add_tcase(suite, cases);
    return run_suite(suite);
}
