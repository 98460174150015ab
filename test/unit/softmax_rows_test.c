/* math/softmax_rows.inc.h: softmax over the visible columns, its Jacobian, and the cap before it. */

#include "support/main.h"
#include "unit/harness.h"

static const struct lnstab__kernels *const types[] = {&lnstab__kernels_f32, &lnstab__kernels_f64};

enum { N = 9 };

static const struct lnstab__softmax_mask all = {0};

static int visible(const struct lnstab__softmax_mask *m, size_t i, size_t j) {
    return (!m->causal || j <= i) && (!m->keep || m->keep[j]);
}

/* softmax of a row in long double */
static void naive_row(const struct lnstab__softmax_mask *m, size_t i, double scale, const double *s,
                      double *p) {
    long double largest = -INFINITY, sum = 0, e[N];
    for (size_t j = 0; j < N; ++j) {
        if (visible(m, i, j)) {
            largest = fmaxl(largest, (long double)scale * (long double)s[j]);
        }
    }
    for (size_t j = 0; j < N; ++j) {
        e[j] = visible(m, i, j) ? expl((long double)scale * (long double)s[j] - largest) : 0;
        sum += e[j];
    }
    for (size_t j = 0; j < N; ++j) {
        p[j] = sum == 0 ? 0 : (double)(e[j] / sum);
    }
}

/* A rounding of the scaled score and one of its distance from the largest move exp by u times their
 * size; exp itself is within two u, as is what follows. */
static void check_mask(const struct lnstab__kernels *k, struct lnstab__softmax_mask mask,
                       double amplitude) {
    struct pool pool = {.count = 0};
    void *s = pool_draw(&pool, k, 1, N * N, amplitude);
    const double *scores = pool_doubles(&pool, k, s, N * N);
    const double scale = k->size == 4 ? (double)0.37f : 0.37; /* what the type makes of it */
    k->softmax(N, N, scale, mask, s, N);
    const double *p = pool_doubles(&pool, k, s, N * N);
    for (size_t i = 0; i < N; ++i) {
        double wanted[N], sum = 0, any = 0;
        naive_row(&mask, i, scale, scores + i * N, wanted);
        for (size_t j = 0; j < N; ++j) {
            const double bound = unit_roundoff(k) * (6 * amplitude + 6);
            assert_near("p", i * N + j, p[i * N + j], wanted[j], bound * wanted[j] + 1e-300);
            ck_assert(visible(&mask, i, j) || p[i * N + j] == 0);
            sum += p[i * N + j];
            any += visible(&mask, i, j);
        }
        assert_near("sum", i, sum, any > 0, N * unit_roundoff(k));
    }
    pool_end(&pool);
}

START_TEST(test_masks) {
    static const uint8_t keep[][N] = {{1, 1, 1, 1, 1, 1, 1, 1, 1},
                                      {0, 1, 0, 1, 1, 0, 0, 1, 0},
                                      {0, 0, 0, 0, 0, 0, 0, 0, 1},
                                      {1, 0, 0, 0, 0, 0, 0, 0, 0}};
    for (int causal = 0; causal < 2; ++causal) {
        const struct lnstab__softmax_mask mask = {.causal = causal};
        check_mask(types[_i], mask, 1);
        check_mask(types[_i], mask, 30);
        for (int i = 0; i < 4; ++i) {
            check_mask(types[_i], (struct lnstab__softmax_mask){.keep = keep[i], .causal = causal},
                       1);
        }
    }
}
END_TEST

/* With nothing to attend to every weight is 0, and exactly so, whatever the scores. */
START_TEST(test_no_visible_column) {
    static const uint8_t none[N] = {0}, last[N] = {0, 0, 0, 0, 0, 0, 0, 0, 1};
    const struct lnstab__kernels *k = types[_i];
    const double scores[N] = {1e4, -1e4, 0, NAN, INFINITY, -INFINITY, 1, 2, 3};
    double s[N], p[N];
    k->from_double(N, scores, s);
    k->softmax(1, N, 1.0, (struct lnstab__softmax_mask){.keep = none}, s, N);
    k->to_double(N, s, p);
    for (size_t i = 0; i < N; ++i) {
        assert_near("masked", i, p[i], 0, 0);
    }
    k->from_double(N, scores, s); /* causal: the only key kept lies in row 0's future */
    k->softmax(1, N, 1.0, (struct lnstab__softmax_mask){.keep = last, .causal = 1}, s, N);
    k->to_double(N, s, p);
    for (size_t i = 0; i < N; ++i) {
        assert_near("masked", i, p[i], 0, 0);
    }
}
END_TEST

/* Entries of +-1e4, whose exponentials overflow, and all the same entries plus a constant. */
START_TEST(test_shift_invariance) {
    const struct lnstab__kernels *k = types[_i];
    /* integers, so that the shift is exact in either type */
    static const double scores[N] = {1e4, 1e4 - 1, -1e4, 9990, 0, 1e4 - 3, -9999, 1e4 - 2, 5};
    static const double shifts[] = {0, -1e4, 1e4, -3e4, 12345};
    double first[N] = {0};
    for (int t = 0; t < 5; ++t) {
        double moved[N], s[N], p[N];
        for (size_t i = 0; i < N; ++i) {
            moved[i] = scores[i] + shifts[t];
        }
        k->from_double(N, moved, s);
        k->softmax(1, N, 1.0, all, s, N);
        k->to_double(N, s, p);
        if (t == 0) {
            memcpy(first, p, sizeof first);
        }
        ck_assert_mem_eq(first, p, sizeof first);
    }
    /* 1, e^-1, e^-2, e^-3, e^-10 over their sum */
    const double sum = 1 + exp(-1) + exp(-2) + exp(-3) + exp(-10);
    assert_near("p", 0, first[0], 1 / sum, 8 * unit_roundoff(k));
    assert_near("p", 3, first[3], exp(-10) / sum, 8 * unit_roundoff(k));
    assert_near("p", 2, first[2], 0, 0);
}
END_TEST

START_TEST(test_nan_is_carried) {
    const struct lnstab__kernels *k = types[_i];
    double scores[2 * N] = {0}, s[2 * N], p[2 * N];
    scores[4] = NAN;
    k->from_double(2 * N, scores, s);
    k->softmax(2, N, 1.0, all, s, N);
    k->to_double(2 * N, s, p);
    for (size_t i = 0; i < N; ++i) {
        ck_assert(isnan(p[i]));
        assert_near("other row", i, p[N + i], 1.0 / N, unit_roundoff(k));
    }
}
END_TEST

struct soft {
    double *s, *p;
    double scale;
    struct lnstab__softmax_mask mask;
};

static void soft_call(void *context) {
    struct soft *f = context;
    memcpy(f->p, f->s, N * N * sizeof *f->p);
    lnstab__kernels_f64.softmax(N, N, f->scale, f->mask, f->p, N);
}

/* The vjp, which is also the jvp, against differences, with a mask: and 0 where p is 0. */
START_TEST(test_jacobian) {
    static const uint8_t keep[N] = {0, 1, 1, 0, 1, 1, 1, 1, 0};
    struct pool pool = {.count = 0};
    struct soft f = {pool_normals(&pool, 1, N * N, 1),
                     pool_take(&pool, N * N * sizeof(double)),
                     0.8,
                     {keep, 1, 0}};
    const double *u = pool_normals(&pool, 2, N * N, 1);
    const struct probe probe = {soft_call, &f, f.p, u, N * N};
    soft_call(&f);
    double *t = pool_copy(&pool, u, N * N * sizeof *u);
    lnstab__kernels_f64.softmax_jacobian(N, N, f.scale, f.p, N, t, N);
    probe_check(&probe, "softmax", f.s, t, N * N);
    for (size_t i = 0; i < N * N; ++i) {
        ck_assert(f.p[i] != 0 || t[i] == 0);
    }
    pool_end(&pool);
}
END_TEST

/* float32's is the rounding of the formula on the same p and t. */
START_TEST(test_jacobian_float32) {
    const struct lnstab__kernels *k = &lnstab__kernels_f32;
    struct pool pool = {.count = 0};
    void *p = pool_draw(&pool, k, 1, N * N, 1), *t = pool_draw(&pool, k, 2, N * N, 1);
    k->softmax(N, N, 1.0, all, p, N);
    double *weights = pool_doubles(&pool, k, p, N * N), *wide = pool_doubles(&pool, k, t, N * N);
    k->softmax_jacobian(N, N, 0.3, p, N, t, N);
    lnstab__kernels_f64.softmax_jacobian(N, N, 0.3, weights, N, wide, N);
    const double *got = pool_doubles(&pool, k, t, N * N);
    for (size_t i = 0; i < N * N; ++i) {
        assert_near("jacobian", i, got[i], wide[i], unit_roundoff(k) * fabs(wide[i]));
    }
    pool_end(&pool);
}
END_TEST

/* cap tanh(s/cap), in double and rounded once; never beyond the cap, and the identity near 0. */
START_TEST(test_soft_cap) {
    static const double caps[] = {0.5, 2, 50, 1e30};
    const double scores[N] = {0, 1e-9, -0.3, 2, -7, 1e4, -1e30, INFINITY, -INFINITY};
    const struct lnstab__kernels *k = types[_i % 2];
    const double cap = caps[_i / 2];
    double s[N + 1], got[N + 1];
    k->from_double(N, scores, s);
    memset(lnstab__at(k, s, N), 0x01, k->size);
    double held[N];
    k->to_double(N, s, held);
    k->soft_cap(N, cap, s);
    k->to_double(N, s, got);
    for (size_t i = 0; i < N; ++i) {
        const long double wanted =
            (long double)cap * tanhl((long double)held[i] / (long double)cap);
        assert_near("capped", i, got[i], (double)wanted,
                    (unit_roundoff(k) + 3 * DBL_EPSILON) * (double)fabsl(wanted));
        ck_assert_double_le(fabs(got[i]), cap * (1 + unit_roundoff(k)));
    }
    ck_assert(bytes_are(lnstab__at(k, s, N), k->size, 0x01));
}
END_TEST

START_TEST(test_soft_cap_carries_nan) {
    const double bad = NAN;
    double s[1], value;
    types[_i]->from_double(1, &bad, s);
    types[_i]->soft_cap(1, 2, s);
    types[_i]->to_double(1, s, &value);
    ck_assert(isnan(value));
}
END_TEST

static void cap_call(void *context) {
    struct soft *f = context;
    memcpy(f->p, f->s, N * N * sizeof *f->p);
    lnstab__kernels_f64.soft_cap(N * N, f->scale, f->p);
}

/* t (1 - (c/cap)^2), from the capped scores: against differences, for scores within and beyond the cap. */
START_TEST(test_soft_cap_jacobian) {
    static const double amplitudes[] = {0.1, 1, 4};
    struct pool pool = {.count = 0};
    struct soft f = {pool_normals(&pool, 1, N * N, amplitudes[_i]),
                     pool_take(&pool, N * N * sizeof(double)), 1.5, all};
    const double *u = pool_normals(&pool, 2, N * N, 1);
    const struct probe probe = {cap_call, &f, f.p, u, N * N};
    cap_call(&f);
    double *t = pool_copy(&pool, u, N * N * sizeof *u);
    lnstab__kernels_f64.soft_cap_jacobian(N * N, f.scale, f.p, t);
    probe_check(&probe, "cap", f.s, t, N * N);
    pool_end(&pool);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("softmax_rows");
    TCase *cases = tcase_create("softmax_rows");
    tcase_add_loop_test(cases, test_masks, 0, 2);
    tcase_add_loop_test(cases, test_no_visible_column, 0, 2);
    tcase_add_loop_test(cases, test_shift_invariance, 0, 2);
    tcase_add_loop_test(cases, test_nan_is_carried, 0, 2);
    tcase_add_test(cases, test_jacobian);
    tcase_add_test(cases, test_jacobian_float32);
    tcase_add_loop_test(cases, test_soft_cap, 0, 8);
    tcase_add_loop_test(cases, test_soft_cap_carries_nan, 0, 2);
    tcase_add_loop_test(cases, test_soft_cap_jacobian, 0, 3);
    suite_add_tcase(suite, cases);
    return run_suite(suite);
}
