/* analysis/norm_spectrum.h: the singular values of the Jacobian of a norm, against those of the matrix.
 * (norm_handle_test.c has the oracle's fixture.) */

#include "analysis/norm_spectrum.h"

#include "analysis/norm_rows.h"
#include "support/main.h"
#include "unit/dense_jacobian.h"

struct example {
    int rms;
    size_t d;
    double eps, x[DENSE_WIDTH], gamma[DENSE_WIDTH];
};

static lnstab_norm *new_norm(const struct example *e, const struct lnstab__kernels *k) {
    const struct lnstab__norm_spec spec = {
        .map = {.kind = e->rms ? LNSTAB__NORM_RMS : LNSTAB__NORM_LAYER,
                .width = e->d,
                .eps = e->eps,
                .scale = 1},
        .kernels = k};
    void *block = aligned_alloc(64, (lnstab__norm_bytes(&spec) + 63) / 64 * 64);
    ck_assert_ptr_nonnull(block);
    return lnstab__norm_lay_out(&spec, block);
}

static struct lnstab__jacobian_norms norms_of(const struct example *e,
                                              const struct lnstab__kernels *k) {
    double x[DENSE_WIDTH], gamma[DENSE_WIDTH];
    k->from_double(e->d, e->x, x);
    k->from_double(e->d, e->gamma, gamma);
    lnstab_norm *n = new_norm(e, k);
    lnstab__norm_affine(n, gamma, NULL);
    const struct lnstab__jacobian_norms j =
        lnstab__norm_row_jacobian(n, x, LNSTAB__WANT_SPECTRAL | LNSTAB__WANT_SMALLEST);
    free(n);
    return j;
}

/* The rank by theory.md, section 13, counted from the entries. */
static size_t rank_of(const struct example *e) {
    size_t zeros = 0;
    int constant = 1, told = 0;
    double usual = 0;
    for (size_t i = 0; i < e->d; ++i) {
        constant = constant && e->x[i] == (e->rms ? 0 : e->x[0]);
        if (e->gamma[i] == 0) {
            usual = zeros == 0 && !e->rms ? e->x[i] : usual;
            told = told || e->x[i] != usual;
            ++zeros;
        }
    }
    const size_t kept = e->d - zeros - (!e->rms && zeros == 0);
    return kept - (e->eps == 0 && !constant && !told);
}

static double largest_gamma(const struct example *e) {
    double largest = 0;
    for (size_t i = 0; i < e->d; ++i) {
        largest = fmax(largest, fabs(e->gamma[i]));
    }
    return largest;
}

/* Within 1e-13 of max|gamma|/s, a tenth of what the header promises; what is beyond the rank is 0 to the
 * rounding of long double. */
static void check(const struct example *e, const struct lnstab__kernels *k, size_t at) {
    static struct dense m;
    const size_t rank = rank_of(e);
    dense_fill(&m, e->rms, e->d, e->x, e->gamma, e->eps);
    dense_singular_values(&m);
    const struct lnstab__jacobian_norms j = norms_of(e, k);
    const double scale = largest_gamma(e) * (double)m.rstd;
    assert_near("spectral", at, j.spectral, rank ? (double)m.values[0] : 0, 1e-13 * scale);
    assert_near("smallest", at, j.smallest, rank ? (double)m.values[rank - 1] : 0, 1e-13 * scale);
    if (rank < e->d) {
        assert_near("beyond the rank", at, (double)m.values[rank], 0, 1e-16 * scale);
    }
}

/* ---- random examples, of the kinds that are hard ---- */

struct dice {
    uint64_t seed;
    uint64_t drawn;
};

static double normal(struct dice *r) {
    double x;
    lnstab__draw_normal((struct lnstab__stream){r->seed, 0, 7}, r->drawn++, 1, &x);
    return x;
}

static double uniform(struct dice *r) {
    return 0.5 * erfc(-normal(r) * sqrt(0.5));
}

static size_t pick(struct dice *r, size_t n) {
    return (size_t)(uniform(r) * (double)n) % n;
}

static double entry_of_x(struct dice *r, size_t kind, size_t i) {
    switch (kind) {
    case 0:
        return normal(r);
    case 1:
        return (double)pick(r, 4) - 2;
    case 2:
        return i == 1 ? 1e4 : 0;
    case 3:
        return 1e6 + (double)pick(r, 3);
    case 4:
        return 3.5;
    default:
        return normal(r) * pow(10, -8 * uniform(r));
    }
}

static double entry_of_gamma(struct dice *r, size_t kind) {
    static const double close[] = {0, 0x1p-52, 0x1p-51, 1e-9, -1e-9, 1e-4};
    switch (kind) {
    case 0:
        return normal(r);
    case 1:
        return (double)pick(r, 6) - 3;
    case 2:
        return 1 + close[pick(r, 6)];
    case 3:
        return (double)(1 + pick(r, 2)) * (1 + close[pick(r, 6)]);
    case 4:
        return pick(r, 3) ? 0 : normal(r);
    case 5:
        return -2;
    default:
        return pow(10, -8 * uniform(r));
    }
}

static struct example draw(struct dice *r, size_t most, const struct lnstab__kernels *k) {
    static const double eps[] = {0, 1e-12, 1e-5, 0.1, 1e3};
    struct example e = {.rms = (int)pick(r, 2), .d = 1 + pick(r, most), .eps = eps[pick(r, 5)]};
    const size_t of_x = pick(r, 6), of_gamma = pick(r, 7);
    double rounded[DENSE_WIDTH];
    for (size_t i = 0; i < e.d; ++i) {
        e.x[i] = entry_of_x(r, of_x, i);
        e.gamma[i] = entry_of_gamma(r, of_gamma);
    }
    k->from_double(e.d, e.x, rounded);
    k->to_double(e.d, rounded, e.x);
    k->from_double(e.d, e.gamma, rounded);
    k->to_double(e.d, rounded, e.gamma);
    return e;
}

static int has_norm(const struct example *e) {
    for (size_t i = 0; i < e->d; ++i) {
        if (e->x[i] != (e->rms ? 0 : e->x[0])) {
            return 1;
        }
    }
    return e->eps > 0;
}

/* Rows without a norm have none of the three. */
static void check_random(size_t count, size_t most, const struct lnstab__kernels *k) {
    struct dice r = {.seed = most + k->size};
    for (size_t i = 0; i < count; ++i) {
        const struct example e = draw(&r, most, k);
        if (has_norm(&e)) {
            check(&e, k, i);
        } else {
            const struct lnstab__jacobian_norms j = norms_of(&e, k);
            ck_assert(isnan(j.spectral) && isnan(j.smallest) && isnan(j.frobenius));
        }
    }
}

START_TEST(test_float64_rows_of_few_entries) {
    check_random(6000, 7, &lnstab__kernels_f64);
}
END_TEST

START_TEST(test_float32_rows_of_few_entries) {
    check_random(6000, 7, &lnstab__kernels_f32);
}
END_TEST

START_TEST(test_rows_of_many_entries) {
    check_random(100, DENSE_WIDTH, &lnstab__kernels_f64);
}
END_TEST

/* ---- what can be said in a line ---- */

static void assert_values(const struct example *e, double spectral, double smallest) {
    const struct lnstab__jacobian_norms j = norms_of(e, &lnstab__kernels_f64);
    assert_near("spectral", e->d, j.spectral, spectral, 1e-15 * spectral);
    assert_near("smallest", e->d, j.smallest, smallest, 1e-15 * smallest);
}

/* The only row of J with a gamma is that of the spike: its length is gamma/s times sqrt(P_ii - (1 - k^2) u_i^2), and
 * u_i^2 = P_ii here. */
START_TEST(test_one_gamma_at_a_spike_has_k_left) {
    for (int power = 0; power < 100; power += 7) {
        const double height = ldexp(1, power), square = height * height * 3 / 16 + 0.5;
        const double left = 3 * 0.5 / square / sqrt(square) * sqrt(0.75);
        const struct example e = {
            .d = 4, .eps = 0.5, .x = {0, height, 0, 0}, .gamma = {0, 3, 0, 0}};
        assert_values(&e, left, left);
    }
}
END_TEST

/* Without eps that row is 0, and J has no singular value but 0. */
START_TEST(test_nothing_is_left_without_eps) {
    assert_values(&(struct example){.d = 4, .x = {0, 9, 0, 0}, .gamma = {0, 3, 0, 0}}, 0, 0);
    assert_values(&(struct example){.d = 2, .x = {1, 9}, .gamma = {2, 3}}, 0, 0);
    assert_values(&(struct example){.d = 1, .rms = 1, .x = {9}, .gamma = {3}}, 0, 0);
    assert_values(&(struct example){.d = 3, .eps = 1, .x = {1, 2, 3}}, 0, 0);
}
END_TEST

/* theory.md, section 13: d = 2 has one singular value, (eps/s^3) sqrt((gamma_1^2 + gamma_2^2)/2). */
START_TEST(test_width_two) {
    const double s = sqrt(6.25), value = 2.25 / (s * s * s) * sqrt(12.5);
    assert_values(&(struct example){.d = 2, .eps = 2.25, .x = {1, 5}, .gamma = {3, -4}}, value,
                  value);
}
END_TEST

/* Sizes that squares cannot hold: gammas of every size, and rows of subnormal numbers, whose mean is not
 * one of the numbers there are. */
START_TEST(test_extreme_sizes) {
    const double units[] = {1e-80, 1e-20, 1, 1e300};
    for (size_t u = 0; u < 4; ++u) {
        const double g = units[u];
        const struct example e = {
            .d = 3, .eps = 1, .x = {7, 7, 7}, .gamma = {2 * g, -2 * g, 2 * g}};
        assert_values(&e, 2 * g, 2 * g);
        const struct example far = {
            .rms = 1, .d = 3, .eps = 1, .x = {0, 0, 0}, .gamma = {g, 1e-30 * g, g * 1e-200}};
        const struct lnstab__jacobian_norms j = norms_of(&far, &lnstab__kernels_f64);
        ck_assert(j.spectral == g && j.smallest <= 1e-59 * g);
    }
    const struct example tiny = {
        .d = 4, .eps = 1e-6, .x = {5e-324, 1e-323, 5e-324, 5e-324}, .gamma = {1, 1, 1, 1}};
    assert_values(&tiny, 1e3, 1e3);
    check(&(struct example){.d = 5,
                            .eps = 1e-6,
                            .x = {5e-324, 1e-323, 5e-324, 5e-324, 0},
                            .gamma = {1, 2, -3, 0, 1}},
          &lnstab__kernels_f64, 5);
}
END_TEST

START_TEST(test_a_gamma_that_is_not_finite) {
    for (size_t i = 0; i < 4; ++i) {
        struct example e = {.d = 2, .eps = 1, .x = {1, 2}, .gamma = {1, 1}};
        e.gamma[i % 2] = i < 2 ? NAN : -INFINITY;
        const struct lnstab__jacobian_norms j = norms_of(&e, &lnstab__kernels_f64);
        ck_assert(isnan(j.spectral) && isnan(j.smallest) && isnan(j.frobenius));
        ck_assert(isfinite(j.rstd));
    }
}
END_TEST

/* mu: for gamma^2 = 4, 1, 1 the resolvent's mean vanishes at 3, and 1 is repeated. */
START_TEST(test_eigenvalues_of_gamma) {
    double poles[] = {-1, 2, 1};
    struct lnstab__norm_spectrum g = {.width = 3, .centred = 1, .poles = poles};
    lnstab__norm_spectrum_prepare(&g);
    ck_assert_uint_eq(g.rank, 2);
    assert_near("mu", 1, 4 * g.first[0], 3, 1e-15);
    assert_near("mu", 2, 4 * g.first[1], 1, 1e-15);
    ck_assert(g.last[0] == g.first[1] && g.last[1] == g.first[0]);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("norm_spectrum");
    TCase *cases = tcase_create("norm_spectrum");
    tcase_add_test(cases, test_float64_rows_of_few_entries);
    tcase_add_test(cases, test_float32_rows_of_few_entries);
    tcase_add_test(cases, test_rows_of_many_entries);
    tcase_add_test(cases, test_one_gamma_at_a_spike_has_k_left);
    tcase_add_test(cases, test_nothing_is_left_without_eps);
    tcase_add_test(cases, test_width_two);
    tcase_add_test(cases, test_extreme_sizes);
    tcase_add_test(cases, test_a_gamma_that_is_not_finite);
    tcase_add_test(cases, test_eigenvalues_of_gamma);
    suite_add_tcase(suite, cases);
    return run_suite(suite);
}
