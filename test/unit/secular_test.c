/* math/secular.h: sums over poles, and roots between two of them. */

#include "math/secular.h"

#include "support/main.h"
#include "unit/harness.h"

enum { MOST = 23 };

/* Every length, so that what is left over when lanes are full is counted, and counted once. */
START_TEST(test_sums_are_the_sums) {
    double poles[MOST], x[MOST];
    lnstab__draw_normal((struct lnstab__stream){9, 0, 1}, 0, MOST, poles);
    lnstab__draw_normal((struct lnstab__stream){9, 0, 2}, 0, MOST, x);
    for (size_t n = 0; n <= MOST; ++n) {
        const double centre = 0.25, t = 0.125;
        long double want[6] = {0}, size[6] = {0};
        for (size_t i = 0; i < n; ++i) {
            const long double w = 1 / ((long double)poles[i] - t), v = (long double)x[i] - centre;
            const long double terms[] = {w, w * v, w * v * v, w * w, w * w * v, w * w * v * v};
            for (int k = 0; k < 6; ++k) {
                want[k] += terms[k];
                size[k] += fabsl(terms[k]);
            }
        }
        const struct lnstab__pole_sums s = lnstab__pole_sums(n, poles, x, centre, t);
        const double got[] = {s.w, s.wv, s.wvv, s.ww, s.wwv, s.wwvv};
        for (size_t k = 0; k < 6; ++k) {
            assert_near("sum", k, got[k], (double)want[k], 1e-15 * (double)size[k]);
        }
    }
}
END_TEST

START_TEST(test_a_pole_at_t_is_just_above_it) {
    const double pole = 3, x = 2;
    const struct lnstab__pole_sums s = lnstab__pole_sums(1, &pole, &x, 1, 3);
    ck_assert_double_eq(s.w, 0x1p54 / 3);
    ck_assert(isfinite(s.ww) && s.wv == s.w);
}
END_TEST

/* above/(right - t) - below/(t - left) + lift: with lift 0 the root is known. */
struct pair {
    double left, right, below, above, lift;
    int calls;
};

static struct lnstab__jet two_poles(const void *of, double t) {
    const struct pair *p = of;
    const double low = t - p->left, high = p->right - t;
    ++((struct pair *)of)->calls;
    return (struct lnstab__jet){p->above / high - p->below / low + p->lift,
                                p->above / (high * high) + p->below / (low * low)};
}

static double root_of(struct pair *p, double least, double first) {
    p->calls = 0;
    return lnstab__secular_root(two_poles, p, p->left, p->right, least, first);
}

START_TEST(test_two_poles_alone_take_few_steps) {
    for (int power = -300; power <= 0; power += 20) {
        struct pair p = {.right = 2, .below = ldexp(1, power), .above = 1};
        const double want = 2 * p.below / (p.below + p.above);
        assert_near("root", (size_t)-power, root_of(&p, 1e-100, 1e-100), want, 4e-16 * want);
        ck_assert_int_le(p.calls, 8);
    }
}
END_TEST

/* The other poles are a lift that moves the root anywhere in between. */
START_TEST(test_lifted_functions) {
    for (double lift = -1e6; lift <= 1e6; lift += 12345.6) {
        struct pair p = {.left = 1, .right = 3, .below = 0.5, .above = 0.25, .lift = lift};
        const double root = root_of(&p, 1 + 1e-15, 2);
        const long double low = root - 1.0L, high = 3.0L - root;
        const long double value = p.above / high - p.below / low + lift;
        const long double slope = p.above / (high * high) + p.below / (low * low);
        require(fabsl(value / slope) <= 4e-16L * root, "lift %g: %.17g", lift, root);
        ck_assert_int_le(p.calls, 80);
    }
}
END_TEST

START_TEST(test_without_a_change_of_sign_an_end_is_the_answer) {
    struct pair none = {.left = 1, .right = 2, .lift = -1},
                all = {.left = 1, .right = 2, .lift = 1};
    assert_near("right", 0, root_of(&none, 1.25, 1.5), 2, 1e-15);
    assert_near("least", 0, root_of(&all, 1.25, 1.5), 1.25, 1e-15);
    struct pair nan = {.left = 1, .right = 2, .lift = NAN};
    root_of(&nan, 1.25, 1.5);
    ck_assert_int_le(nan.calls, 128);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("secular");
    TCase *cases = tcase_create("secular");
    tcase_add_test(cases, test_sums_are_the_sums);
    tcase_add_test(cases, test_a_pole_at_t_is_just_above_it);
    tcase_add_test(cases, test_two_poles_alone_take_few_steps);
    tcase_add_test(cases, test_lifted_functions);
    tcase_add_test(cases, test_without_a_change_of_sign_an_end_is_the_answer);
    suite_add_tcase(suite, cases);
    return run_suite(suite);
}
