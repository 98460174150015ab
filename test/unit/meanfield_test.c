/* analysis/meanfield.h: the recursion, against the oracle's long double and against closed forms. */

#include "analysis/meanfield.h"

#include "support/main.h"
#include "unit/theory_fixture.h"

static struct lnstab__spec spec_of(lnstab_config *c) {
    struct lnstab__spec spec;
    ck_good(lnstab_config_message(c), lnstab__spec_resolve(c, &spec));
    lnstab_config_destroy(c);
    return spec;
}

/* The FFN of layer l. */
static struct lnstab__meanfield layer_of(const struct lnstab__spec *spec, int64_t l, double n) {
    return lnstab__meanfield_at(spec, 2 * l - 1, n);
}

/* meanfield placement L rho n l q cosine */
static void check_moments(const struct fixture *f) {
    const double n = fixture_number(f, 4);
    const struct lnstab__spec spec =
        spec_of(theory_config(f->words[1], fixture_integer(f, 2), fixture_number(f, 3), 64));
    const struct lnstab__moments out = layer_of(&spec, fixture_integer(f, 5), n).out;
    assert_theory(f, out.q, fixture_number(f, 6));
    assert_theory(f, out.c / out.q, fixture_number(f, 7));
}

START_TEST(test_moments_agree_with_the_oracle) {
    for_each_line("meanfield", 2700, check_moments);
}
END_TEST

/* theory.md: peri and output-norm q_L = 1 + 2 L dt^2, whatever n; post 1. */
START_TEST(test_closed_forms) {
    for (int64_t L = 1; L <= 48; L *= 3) {
        for (int64_t l = 1; l <= L; ++l) {
            const struct lnstab__spec peri = spec_of(theory_config("peri", L, 4, 64));
            const struct lnstab__spec output = spec_of(theory_config("output-norm", L, 1, 64));
            const struct lnstab__spec post = spec_of(theory_config("post", L, 1, 64));
            assert_near("peri", (size_t)l, layer_of(&peri, l, 7).out.q, 1 + 2 * (double)l,
                        1e-13 * (double)l);
            assert_near("output-norm", (size_t)l, layer_of(&output, l, 1).out.q, 1 + 2 * (double)l,
                        1e-13 * (double)l);
            assert_near("post", (size_t)l, layer_of(&post, l, 32).out.q, 1, 0);
            assert_near("post, x5", (size_t)l, layer_of(&post, l, 32).sum.q, 1.5, 1e-15);
        }
    }
}
END_TEST

/* cases.md, C5: pre, n = 32, rho = 1. */
START_TEST(test_printed_growth) {
    const struct lnstab__spec pre = spec_of(theory_config("pre", 12, 1, 128));
    assert_near("q_1", 0, layer_of(&pre, 1, 32).out.q, 1.531, 5e-4);
    assert_near("q_6", 0, layer_of(&pre, 6, 32).out.q, 5.891, 5e-4);
    assert_near("q_12", 0, layer_of(&pre, 12, 32).out.q, 12.98, 5e-3);
}
END_TEST

START_TEST(test_c_f) {
    static const struct { double rho, c_f; } rows[] = {{1, 0.5}, {4, 8.0 / 25}, {0.5, 4.0 / 9}};
    for (size_t i = 0; i < 3; ++i) {
        const struct lnstab__spec spec = spec_of(theory_config("pre", 1, rows[i].rho, 64));
        assert_near("c_f", i, lnstab__meanfield_c_f(&spec), rows[i].c_f, DBL_EPSILON);
    }
}
END_TEST

/* kap(p) = E[ReLU(a) ReLU(b)]: kap(0) = 1/(2 pi), kap(1) = 1/2, kap(-1) = 0; beyond [-1, 1], where
 * rounding may put a cosine, as at the end; and its derivative is (pi - acos p)/(2 pi). */
START_TEST(test_kap) {
    const double pi = acos(-1);
    assert_near("kap", 0, lnstab__meanfield_kap(0), 1 / (2 * pi), DBL_EPSILON);
    assert_near("kap", 1, lnstab__meanfield_kap(1), 0.5, DBL_EPSILON);
    assert_near("kap", 2, lnstab__meanfield_kap(-1), 0, DBL_EPSILON);
    assert_near("kap", 3, lnstab__meanfield_kap(1 + 1e-12), 0.5, DBL_EPSILON);
    assert_near("kap", 4, lnstab__meanfield_kap(-1 - 1e-12), 0, DBL_EPSILON);
    for (int i = -9; i <= 9; ++i) {
        const double p = i / 10.0, h = 1e-4; /* h^2 f'''/6 < 1e-8 for |p| <= 0.9 */
        const double slope =
            (lnstab__meanfield_kap(p + h) - lnstab__meanfield_kap(p - h)) / (2 * h);
        assert_near("slope", (size_t)(i + 9), slope, (pi - acos(p)) / (2 * pi), 1e-7);
    }
}
END_TEST

/* kap against the average over 4 x 10^5 pairs of normals: 5 standard errors, each below 1.3/sqrt(N)
 * (E[ReLU(a)^2 ReLU(b)^2] <= 3/2). */
START_TEST(test_kap_is_an_expectation) {
    enum { N = 400000 };
    struct pool pool = {.count = 0};
    const double *z = pool_normals(&pool, 1, 2 * N, 1);
    static const double correlations[] = {-0.5, 0, 0.3, 0.9};
    for (size_t c = 0; c < 4; ++c) {
        const double p = correlations[c], rest = sqrt(1 - p * p);
        double sum = 0;
        for (size_t i = 0; i < N; ++i) {
            sum += fmax(0, z[2 * i]) * fmax(0, p * z[2 * i] + rest * z[2 * i + 1]);
        }
        assert_near("kap", c, sum / N, lnstab__meanfield_kap(p), 5 * 1.3 / sqrt(N));
    }
    pool_end(&pool);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("meanfield");
    TCase *cases = tcase_create("meanfield");
    tcase_set_timeout(cases, 60);
    tcase_add_test(cases, test_moments_agree_with_the_oracle);
    tcase_add_test(cases, test_closed_forms);
    tcase_add_test(cases, test_printed_growth);
    tcase_add_test(cases, test_c_f);
    tcase_add_test(cases, test_kap);
    tcase_add_test(cases, test_kap_is_an_expectation);
    suite_add_tcase(suite, cases);
    return run_suite(suite);
}
