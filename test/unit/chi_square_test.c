/* math/chi_square.c: tails of the chi-square distribution. */

#include "math/chi_square.h"

#include "support/main.h"
#include "unit/theory_fixture.h"

/* chi_square d eps tail */
static void check_tail(const struct fixture *f) {
    assert_theory(f, lnstab__chi_square_tail(fixture_integer(f, 1), fixture_number(f, 2)),
                  fixture_number(f, 3));
}

START_TEST(test_tails_agree_with_the_oracle) {
    for_each_line("chi_square", 100, check_tail);
}
END_TEST

/* Two degrees of freedom have an exponential distribution, one the square of a normal number. */
START_TEST(test_closed_forms) {
    for (int i = 0; i <= 100; ++i) {
        const double excess = 0.1 * i;
        assert_near("d = 2", (size_t)i, lnstab__chi_square_tail(2, excess), exp(-(1 + excess)),
                    1e-14);
        assert_near("d = 1", (size_t)i, lnstab__chi_square_tail(1, excess),
                    erfc(sqrt((1 + excess) / 2)), 1e-14);
    }
}
END_TEST

/* Below the smallest number the tail is 0; no series of any d is lost at its seams. */
START_TEST(test_falls_without_a_seam) {
    ck_assert_double_eq(lnstab__chi_square_tail(1000000, 100), 0);
    for (int64_t d = 1; d < 200; ++d) {
        double last = 1;
        for (double excess = 0; excess < 1; excess += 0.01) {
            const double tail = lnstab__chi_square_tail(d, excess);
            ck_assert_double_lt(tail, last);
            last = tail;
        }
        assert_near("largest", (size_t)d, lnstab__chi_square_tail(d, 0.5 + 1e-9),
                    lnstab__chi_square_tail(d, 0.5 - 1e-9), 1e-8);
    }
}
END_TEST

int main(void) {
    const TTest *const tests[] = {test_tails_agree_with_the_oracle, test_closed_forms,
                                  test_falls_without_a_seam};
    return run_tests("chi_square", tests, sizeof tests / sizeof *tests);
}
