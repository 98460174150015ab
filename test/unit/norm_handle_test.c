/* analysis/norm_rows.h: the handle of a norm on a host's own rows. (norm_rows_test.c tests the rows.) */

#include "analysis/norm_rows.h"

#include <stdint.h>

#include "support/handles.h"
#include "support/main.h"
#include "unit/dense_jacobian.h"
#include "unit/norm_fixture.h"

static struct lnstab__norm_spec spec_of(const char *words) {
    lnstab_config *c = new_config(words);
    const struct lnstab__norm_spec spec = lnstab__norm_spec_of(c);
    lnstab_config_destroy(c);
    return spec;
}

static lnstab_norm *lay_out(const struct lnstab__norm_spec *spec) {
    void *block = aligned_alloc(64, lnstab__norm_bytes(spec));
    ck_assert_ptr_nonnull(block);
    return lnstab__norm_lay_out(spec, block);
}

static const char *const dtypes[] = {"float32", "float64", "bfloat16", "float16"};

START_TEST(test_spec) {
    struct lnstab__norm_spec s =
        spec_of("width=12 eps=0.25 norm=rms dtype=float64 heads=5"); /* heads do not matter */
    ck_assert_int_eq((int)s.map.kind, (int)LNSTAB__NORM_RMS);
    ck_assert_uint_eq(s.map.width, 12);
    ck_assert_double_eq(s.map.eps, 0.25);
    ck_assert_double_eq(s.map.scale, 1);
    ck_assert_ptr_eq(s.kernels, lnstab__kernels_find(2));
    s = spec_of("");
    ck_assert_int_eq((int)s.map.kind, (int)LNSTAB__NORM_LAYER);
    ck_assert_ptr_eq(s.kernels, lnstab__kernels_find(1));
    ck_assert(s.map.gamma == NULL && s.map.bias == NULL);
    ck_assert_ptr_eq(spec_of("dtype=bfloat16").kernels, &lnstab__kernels_bf16);
    ck_assert_ptr_eq(spec_of("dtype=float16").kernels, &lnstab__kernels_f16);
}
END_TEST

/* | handle | gamma | bias | poles | room |, each at a multiple of 64, none into the next, the last up to the end */
START_TEST(test_carving) {
    for (int width = 1; width < 300; width += 7) {
        for (int dtype = 0; dtype < 4; ++dtype) {
            char words[60];
            snprintf(words, sizeof words, "width=%d dtype=%s", width, dtypes[dtype]);
            const struct lnstab__norm_spec spec = spec_of(words);
            const size_t bytes = (size_t)width * spec.kernels->affine->size,
                         total = lnstab__norm_bytes(&spec);
            lnstab_norm *n = lay_out(&spec);
            const unsigned char *const at[] = {(unsigned char *)n,
                                               n->gamma,
                                               n->bias,
                                               (unsigned char *)n->spectrum.poles,
                                               (unsigned char *)n->room,
                                               (unsigned char *)n + total};
            const size_t sizes[] = {sizeof *n, bytes, bytes, (size_t)width * sizeof(double),
                                    2 * (size_t)width * sizeof(double)};
            for (int i = 0; i < 5; ++i) {
                require((uintptr_t)at[i] % 64 == 0, "part %d of width %d", i, width);
                require(at[i] + sizes[i] <= at[i + 1] && at[i] + sizes[i] + 64 > at[i + 1],
                        "part %d of width %d", i, width);
            }
            free(n);
        }
    }
}
END_TEST

START_TEST(test_affine) {
    char words[60];
    snprintf(words, sizeof words, "width=3 dtype=%s", dtypes[_i]);
    const struct lnstab__norm_spec spec = spec_of(words);
    const struct lnstab__kernels *k = spec.kernels->affine;
    const double ones[] = {1, 1, 1}, last[] = {1, 1, 1.5};
    double one[3], other[3];
    k->from_double(3, ones, one);
    k->from_double(3, last, other);
    lnstab_norm *n = lay_out(&spec);
    ck_assert(!n->map.gamma && !n->map.bias);
    lnstab__norm_affine(n, one, other);
    ck_assert(!n->map.gamma && n->map.bias == n->bias); /* 1 is no gamma */
    ck_assert_mem_eq(n->bias, other, 3 * k->size);
    lnstab__norm_affine(n, other, NULL);
    ck_assert(n->map.gamma == n->gamma && !n->map.bias);
    ck_assert_mem_eq(n->gamma, other, 3 * k->size);
    memset(other, 0, sizeof other); /* it is a copy */
    ck_assert(!bytes_are(n->gamma, 3 * k->size, 0));
    lnstab__norm_affine(n, NULL, NULL);
    ck_assert(!n->map.gamma);
    free(n);
}
END_TEST

static lnstab_norm *norm_of(const struct norm_case *c) {
    const struct lnstab__norm_spec spec = {
        .map = {.kind = c->rms ? LNSTAB__NORM_RMS : LNSTAB__NORM_LAYER,
                .width = c->d,
                .eps = c->eps,
                .scale = 1},
        .kernels = &lnstab__kernels_f64};
    lnstab_norm *n = lay_out(&spec);
    lnstab__norm_affine(n, c->gamma, NULL);
    return n;
}

enum { WANT = LNSTAB__WANT_SPECTRAL | LNSTAB__WANT_SMALLEST };

/* Judged by max|gamma| rstd; rstd, and the singular values down to 1e-30 of that, also relative to
 * themselves. */
static void check_jacobian(const struct norm_case *c) {
    lnstab_norm *n = norm_of(c);
    const struct lnstab__jacobian_norms j = lnstab__norm_row_jacobian(n, c->x, WANT);
    const double scale = largest_of(c->d, c->gamma) * c->norms[0], bound = 1e-13;
    assert_near(c->name, 0, j.rstd, c->norms[0], 1e-12 * c->norms[0]);
    assert_near(c->name, 2, j.frobenius, c->norms[2], 1e-12 * scale);
    assert_near(c->name, 1, j.spectral, c->norms[1], bound * fmax(c->norms[1], 1e-30 * scale));
    assert_near(c->name, 3, j.smallest, c->norms[3], bound * fmax(c->norms[3], 1e-30 * scale));
    free(n);
}

START_TEST(test_jacobian_agrees_with_the_oracle) {
    for_each_norm_case(check_jacobian);
}
END_TEST

/* ---- every kind of row in every type, against the singular values of the matrix ---- */

static const struct lnstab__kernels *const types[] = {&lnstab__kernels_f32, &lnstab__kernels_f64,
                                                      &lnstab__kernels_bf16, &lnstab__kernels_f16};

enum row_kind { PLAIN, FAR, SUBNORMAL };

static const struct {
    const char *name;
    size_t d;
    double x[6], gamma[6];
    enum row_kind kind;
} rows[] = {
    {"repeated", 5, {1, -2, 3, 0.5, 1}, {2, 2, -2, 2, 2}, PLAIN},
    {"pairs", 6, {1, -2, 3, 0.5, 1, 0}, {2, 1, 2, -0.5, 1, 3}, PLAIN},
    {"zero", 5, {1, -2, 3, 0.5, 1}, {2, 0, 1, 3, -1}, PLAIN},
    {"zeros", 6, {1, -2, 3, 0.5, 1, 0}, {0, 2, 0, 0, 1, -1}, PLAIN},
    {"all zero", 4, {1, -2, 3, 0.5}, {0}, PLAIN},
    {"negative", 4, {1, -2, 3, 0.5}, {-1, -2, -3, -1.5}, PLAIN},
    {"ones", 6, {1, -2, 3, 0.5, 1, 0}, {1, 1, 1, 1, 1, 1}, PLAIN},
    {"constant", 4, {3, 3, 3, 3}, {1, -2, 0, 3}, PLAIN},
    {"empty", 4, {0}, {1, -2, 0, 3}, PLAIN},
    {"one", 1, {3}, {-2}, PLAIN},
    {"two", 2, {1, -0.5}, {3, -0.5}, PLAIN},
    {"three", 3, {1, -0.5, 4}, {3, -0.5, 3}, PLAIN},
    {"far", 6, {0, 1, 3, 1, 2, 7}, {1, -2, 0.5, 3, 0.25, 1}, FAR},
    {"far ones", 6, {0, 0, 0, 1, 0, 0}, {1, 1, 1, 1, 1, 1}, FAR},
    {"far three", 3, {0, 1, 1}, {1, 2, -3}, FAR},
    {"subnormal", 4, {0.5, -0.75, 0.875, -0.25}, {1, -1, 0.5, 0}, SUBNORMAL},
    {"subnormal two", 2, {0.5, -0.75}, {1, -0.5}, SUBNORMAL},
};

enum { ROWS = sizeof rows / sizeof *rows };

/* The row in the type, exactly: FAR counts ulps from a power of two, SUBNORMAL is in units of the least
 * normal number. */
static void make_row(const struct lnstab__kernels *k, size_t c, void *x, double *wide) {
    static const double least[] = {0x1p-126, 0x1p-1022, 0x1p-126, 0x1p-14};
    for (size_t i = 0; i < rows[c].d; ++i) {
        wide[i] = rows[c].kind == FAR         ? rows[c].x[i] + 0.5 / unit_roundoff(k)
                  : rows[c].kind == SUBNORMAL ? rows[c].x[i] * least[k->dtype - 1]
                                              : rows[c].x[i];
    }
    k->from_double(rows[c].d, wide, x);
    double back[6];
    k->to_double(rows[c].d, x, back);
    ck_assert_mem_eq(back, wide, rows[c].d * sizeof *back);
}

static void check_dense(const char *name, const lnstab_norm *n, const void *x,
                        const struct dense *m, double bound) {
    double J[36];
    lnstab__norm_row_dense(n, x, J);
    for (size_t i = 0; i < m->d * m->d; ++i) {
        assert_near(name, i, J[i], (double)m->rows[i / m->d][i % m->d], bound);
    }
}

/* Singular values below 1e-11 of the largest that there could be are 0: none of the rows has such ones. */
static void check_norms(const char *name, const lnstab_norm *n, const void *x, struct dense *m,
                        double bound) {
    const struct lnstab__jacobian_norms j = lnstab__norm_row_jacobian(n, x, WANT);
    long double squares = 0, smallest = 0;
    dense_singular_values(m);
    for (size_t i = 0; i < m->d; ++i) {
        squares += m->values[i] / m->rstd * (m->values[i] / m->rstd);
        smallest = m->values[i] > 10 * (long double)bound ? m->values[i] : smallest;
    }
    assert_near(name, 0, j.rstd, (double)m->rstd, 1e-13 * (double)m->rstd);
    assert_near(name, 1, j.spectral, (double)m->values[0], bound);
    assert_near(name, 2, j.frobenius, (double)(m->rstd * sqrtl(squares)), bound);
    assert_near(name, 3, j.smallest, (double)smallest, bound);
}

START_TEST(test_every_kind_of_row_in_every_type) {
    static const double epsilons[] = {0, 1e-5, 0.25};
    static struct dense m;
    const struct lnstab__kernels *k = types[_i % 4];
    const int rms = _i / 4;
    for (size_t c = 0; c < ROWS * 3; ++c) {
        const size_t r = c / 3, d = rows[r].d;
        if (rms && rows[r].kind == FAR && c % 3 > 0) {
            continue; /* the row's own direction keeps eps/s^2, less than the matrix can show */
        }
        double x[6], wide[6], gamma[6];
        make_row(k, r, x, wide);
        k->affine->from_double(d, rows[r].gamma, gamma);
        const struct lnstab__norm_spec spec = {
            .map = {.kind = rms ? LNSTAB__NORM_RMS : LNSTAB__NORM_LAYER,
                    .width = d,
                    .eps = epsilons[c % 3],
                    .scale = 1},
            .kernels = k};
        lnstab_norm *n = lay_out(&spec);
        lnstab__norm_affine(n, gamma, NULL);
        dense_fill(&m, rms, d, wide, rows[r].gamma, epsilons[c % 3]);
        ck_assert_int_eq(lnstab__norm_row_is_finite(n, x), isfinite(m.rstd) != 0);
        if (isfinite(m.rstd)) {
            const double bound = 1e-12 * largest_of(d, rows[r].gamma) * (double)m.rstd;
            check_dense(rows[r].name, n, x, &m, bound);
            check_norms(rows[r].name, n, x, &m, bound);
        }
        free(n);
    }
}
END_TEST

static struct lnstab__jacobian_norms jacobian(int rms, size_t d, double eps, const double *x) {
    struct norm_case c = {.rms = rms, .d = d, .eps = eps};
    for (size_t i = 0; i < d; ++i) {
        c.gamma[i] = 1;
    }
    lnstab_norm *n = norm_of(&c);
    const struct lnstab__jacobian_norms j = lnstab__norm_row_jacobian(n, x, WANT);
    free(n);
    return j;
}

static void assert_norms(struct lnstab__jacobian_norms j, double rstd, double spectral,
                         double frobenius) {
    assert_near("rstd", 0, j.rstd, rstd, 1e-13 * rstd);
    assert_near("spectral", 0, j.spectral, spectral, 1e-13 * spectral);
    assert_near("frobenius", 0, j.frobenius, frobenius, 1e-13 * rstd);
}

/* theory.md, section 3: layer d = 1: 0; d = 2: eps/s^3; d >= 3: 1/s. rms d = 1: eps/r^3; d >= 2: 1/r. */
START_TEST(test_small_widths) {
    static const double x[] = {3, 5, 1}, flat[] = {7, 7, 7}, zero[] = {0, 0, 0};
    const double eps = 0.5, s = sqrt(1.5), r_1 = sqrt(9.5), r_2 = sqrt(17.5);
    assert_norms(jacobian(0, 1, eps, x), 1 / sqrt(eps), 0, 0);
    assert_norms(jacobian(0, 2, eps, x), 1 / s, eps / (s * s * s), eps / (s * s * s));
    const double s_3 = sqrt(8.0 / 3 + eps), k_3 = eps / (s_3 * s_3);
    assert_norms(jacobian(0, 3, eps, x), 1 / s_3, 1 / s_3, sqrt(1 + k_3 * k_3) / s_3);
    assert_norms(jacobian(1, 1, eps, x), 1 / r_1, eps / (r_1 * r_1 * r_1), eps / (r_1 * r_1 * r_1));
    const double k_2 = eps / (r_2 * r_2);
    assert_norms(jacobian(1, 2, eps, x), 1 / r_2, 1 / r_2, sqrt(1 + k_2 * k_2) / r_2);
    /* without a direction: (1/s)(I - 11^T/d), or (1/r) I */
    assert_norms(jacobian(0, 2, eps, flat), 1 / sqrt(eps), 1 / sqrt(eps), 1 / sqrt(eps));
    assert_norms(jacobian(0, 3, eps, flat), 1 / sqrt(eps), 1 / sqrt(eps), sqrt(2 / eps));
    assert_norms(jacobian(1, 1, eps, zero), 1 / sqrt(eps), 1 / sqrt(eps), 1 / sqrt(eps));
    assert_norms(jacobian(1, 3, eps, zero), 1 / sqrt(eps), 1 / sqrt(eps), sqrt(3 / eps));
}
END_TEST

/* eps = 0: the direction of the row is lost altogether. */
START_TEST(test_without_eps) {
    static const double x[] = {3, 5, 1};
    assert_norms(jacobian(0, 2, 0, x), 1, 0, 0);
    assert_norms(jacobian(1, 1, 0, x), 1.0 / 3, 0, 0);
    assert_norms(jacobian(0, 3, 0, x), sqrt(3.0 / 8), sqrt(3.0 / 8), sqrt(3.0 / 8));
}
END_TEST

int main(void) {
    Suite *suite = suite_create("norm_handle");
    TCase *cases = tcase_create("norm_handle");
    tcase_add_test(cases, test_spec);
    tcase_add_test(cases, test_carving);
    tcase_add_loop_test(cases, test_affine, 0, 4);
    tcase_add_test(cases, test_jacobian_agrees_with_the_oracle);
    tcase_add_loop_test(cases, test_every_kind_of_row_in_every_type, 0, 8);
    tcase_add_test(cases, test_small_widths);
    tcase_add_test(cases, test_without_eps);
    suite_add_tcase(suite, cases);
    return run_suite(suite);
}
