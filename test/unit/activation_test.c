/* math/activation.inc.h: the activations of the FFN and their derivatives, in both types. */

#include <stdio.h>

#include "support/main.h"
#include "unit/harness.h"

static const struct lnstab__kernels *const types[] = {&lnstab__kernels_f32, &lnstab__kernels_f64};
static const enum lnstab__activation acts[] = {LNSTAB__RELU, LNSTAB__GELU, LNSTAB__GELU_TANH,
                                               LNSTAB__SILU};
enum { ACTS = 4, KINDS_OF_CALL = 2 * ACTS };

/* ---- the formulas in long double ---- */

static long double naive_value(enum lnstab__activation act, long double u) {
    const long double b = 0.044715L, a = sqrtl(2 / acosl(-1));
    switch (act) {
    case LNSTAB__GELU:
        return u * 0.5L * erfcl(-u / sqrtl(2));
    case LNSTAB__GELU_TANH: /* (1 + tanh t)/2 = 1/(1 + e^-2t) */
        return u / (1 + expl(-2 * a * (u + b * u * u * u)));
    case LNSTAB__SILU:
        return u / (1 + expl(-u));
    case LNSTAB__RELU:
    default:
        return u > 0 ? u : 0;
    }
}

static long double logistic_slope(long double t) {
    return 1 / ((1 + expl(-t)) * (1 + expl(t)));
}

static long double naive_slope(enum lnstab__activation act, long double u) {
    const long double b = 0.044715L, a = sqrtl(2 / acosl(-1));
    const long double t = 2 * a * (u + b * u * u * u);
    switch (act) {
    case LNSTAB__GELU:
        return 0.5L * erfcl(-u / sqrtl(2)) + u * expl(-u * u / 2) / sqrtl(2 * acosl(-1));
    case LNSTAB__GELU_TANH:
        return 1 / (1 + expl(-t)) + u * logistic_slope(t) * 2 * a * (1 + 3 * b * u * u);
    case LNSTAB__SILU:
        return 1 / (1 + expl(-u)) + u * logistic_slope(u);
    case LNSTAB__RELU:
    default:
        return u > 0;
    }
}

/* ---- one entry through the kernels ---- */

static double value_at(const struct lnstab__kernels *k, enum lnstab__activation act, double u) {
    double in[1], out[1], value;
    k->from_double(1, &u, in);
    k->activate(act, 1, in, NULL, out);
    k->to_double(1, out, &value);
    return value;
}

static double slope_at(const struct lnstab__kernels *k, enum lnstab__activation act, double u) {
    const double one = 1;
    double in[1], d[1], out[1], value;
    k->from_double(1, &u, in);
    k->from_double(1, &one, d);
    k->activate_vjp(act, 1, in, NULL, d, out, NULL);
    k->to_double(1, out, &value);
    return value;
}

/* u as the type holds it */
static double held(const struct lnstab__kernels *k, double u) {
    return k->size == 4 ? (double)(float)u : u;
}

/* Computed in double, and rounded to the type: relative to the value for ReLU, GELU and SiLU, whose
 * parts are products; gelu_tanh's 1 + tanh cancels, to 4 roundings of 1. exp(-u^2/2) and erfc magnify the
 * rounding of their argument by |u|^2 <= 1600. Below the least normal number nothing is promised. */
static double tolerance(const struct lnstab__kernels *k, enum lnstab__activation act, double u,
                        long double wanted) {
    const double least = k->size == 4 ? (double)FLT_MIN : DBL_MIN;
    const double relative = unit_roundoff(k) + (8 + 2 * fmin(u * u, 1600)) * 0.5 * DBL_EPSILON;
    return relative * (double)fabsl(wanted) + least +
           (act == LNSTAB__GELU_TANH ? 4 * DBL_EPSILON * fmax(1, fabs(u)) : 0);
}

static void check_point(const struct lnstab__kernels *k, enum lnstab__activation act, double at) {
    const double u = held(k, at);
    const long double value = naive_value(act, (long double)u),
                      slope = naive_slope(act, (long double)u);
    char what[40];
    snprintf(what, sizeof what, "activation %d at %g:", (int)act, u);
    assert_near(what, 0, value_at(k, act, u), (double)value, tolerance(k, act, u, value));
    /* the two parts of a slope may cancel: each is below 1 + 0.8 |u| e^(-u^2/2) < 1.5 */
    assert_near(what, 1, slope_at(k, act, u), (double)slope,
                tolerance(k, act, u, slope) + 16 * DBL_EPSILON + 2 * unit_roundoff(k));
}

START_TEST(test_values_and_slopes) {
    static const double extremes[] = {40, 38,   37.5,  27, 20,  9,   8.3,
                                      6,  1e-5, 1e-20, 0,  700, 1e4, 1e30};
    const struct lnstab__kernels *k = types[_i / ACTS];
    for (int i = -4000; i <= 4000; ++i) {
        check_point(k, acts[_i % ACTS], i * 0.0041);
    }
    for (size_t i = 0; i < sizeof extremes / sizeof *extremes; ++i) {
        check_point(k, acts[_i % ACTS], extremes[i]);
        check_point(k, acts[_i % ACTS], -extremes[i]);
    }
}
END_TEST

/* The tail of GELU keeps its digits: -30 Phi(-30) is 1.5e-196, where 1 + erf is 0. */
START_TEST(test_the_tails_keep_their_digits) {
    static const double points[] = {-5, -8, -9, -12, -20, -30};
    for (size_t i = 0; i < sizeof points / sizeof *points; ++i) {
        const double u = points[i], gelu = value_at(types[1], LNSTAB__GELU, u),
                     silu = value_at(types[1], LNSTAB__SILU, u);
        const double wanted = (double)naive_value(LNSTAB__GELU, (long double)u);
        assert_near("gelu", i, gelu, wanted, (8 + 2 * u * u) * DBL_EPSILON * fabs(wanted));
        ck_assert_double_lt(gelu, 0);
        assert_near("silu", i, silu, (double)naive_value(LNSTAB__SILU, (long double)u),
                    (4 - u) * DBL_EPSILON * fabs(silu));
    }
}
END_TEST

/* Far out every one is the identity, or 0, and its slope 1 or 0. At -inf a value may be the limit or the
 * NaN of -inf x 0; NaN is carried. */
START_TEST(test_not_finite) {
    const struct lnstab__kernels *k = types[_i / ACTS];
    const enum lnstab__activation act = acts[_i % ACTS];
    const double low = value_at(k, act, -INFINITY);
    ck_assert(isnan(value_at(k, act, NAN)));
    ck_assert(isnan(slope_at(k, act, NAN)));
    ck_assert_double_eq(value_at(k, act, INFINITY), INFINITY);
    ck_assert(isnan(low) || low == 0);
    ck_assert(act != LNSTAB__RELU || low == 0);
    ck_assert_double_eq(slope_at(k, act, 1e30), 1);
    ck_assert_double_eq(slope_at(k, act, -1e30), 0);
    ck_assert_double_eq(slope_at(k, act, INFINITY), 1);
    ck_assert_double_eq(slope_at(k, act, -INFINITY), 0);
}
END_TEST

START_TEST(test_relu) {
    const struct lnstab__kernels *k = types[_i];
    const double in[] = {-1, 0, 2, -INFINITY, INFINITY, -1e-40, 1e-40, -0.0};
    for (size_t i = 0; i < 8; ++i) {
        assert_near("slope", i, slope_at(k, LNSTAB__RELU, in[i]), in[i] > 0, 0);
        ck_assert_double_eq(value_at(k, LNSTAB__RELU, in[i]), in[i] > 0 ? held(k, in[i]) : 0);
    }
}
END_TEST

/* ---- arrays ---- */

enum { N = 37 };

struct arrays {
    struct pool pool;
    void *pre, *up, *h;
};

static void arrays_start(struct arrays *a, const struct lnstab__kernels *k, int gated) {
    memset(a, 0, sizeof *a);
    a->pre = pool_draw(&a->pool, k, 1, N, 2);
    a->up = gated ? pool_draw(&a->pool, k, 2, N, 1) : NULL;
    a->h = pool_nan(&a->pool, k, N);
}

/* A gate multiplies; an entry has nothing to do with its neighbours, nor with what lies behind. */
START_TEST(test_gate) {
    const struct lnstab__kernels *k = types[_i / ACTS];
    struct arrays a;
    arrays_start(&a, k, 1);
    memset(lnstab__at(k, a.h, N - 1), 0x01, k->size);
    k->activate(acts[_i % ACTS], N - 1, a.pre, a.up, a.h);
    const double *pre = pool_doubles(&a.pool, k, a.pre, N), *h = pool_doubles(&a.pool, k, a.h, N);
    const double *up = pool_doubles(&a.pool, k, a.up, N);
    for (size_t i = 0; i + 1 < N; ++i) {
        const double wanted = value_at(types[1], acts[_i % ACTS], pre[i]) * up[i];
        assert_near("h", i, h[i], wanted, unit_roundoff(k) * fabs(wanted));
    }
    ck_assert(bytes_are(lnstab__at(k, a.h, N - 1), k->size, 0x01));
    pool_end(&a.pool);
}
END_TEST

struct call {
    struct arrays a;
    enum lnstab__activation act;
};

static void call_activate(void *context) {
    struct call *c = context;
    lnstab__kernels_f64.activate(c->act, N, c->a.pre, c->a.up, c->a.h);
}

static void away_from_the_kink(double *pre) {
    for (size_t i = 0; i < N; ++i) {
        pre[i] += pre[i] > 0 ? 0.01 : -0.01;
    }
}

START_TEST(test_vjp_against_differences) {
    const struct lnstab__kernels *k = types[1];
    struct call c = {.act = acts[_i % ACTS]};
    double dpre[N], dup[N];
    arrays_start(&c.a, k, _i / ACTS);
    away_from_the_kink(c.a.pre);
    const double *d = pool_normals(&c.a.pool, 3, N, 1);
    const struct probe probe = {call_activate, &c, c.a.h, d, N};
    k->activate_vjp(c.act, N, c.a.pre, c.a.up, d, dpre, dup);
    probe_check(&probe, "pre", c.a.pre, dpre, N);
    if (c.a.up) {
        probe_check(&probe, "up", c.a.up, dup, N);
    }
    pool_end(&c.a.pool);
}
END_TEST

START_TEST(test_adjoint) {
    const struct lnstab__kernels *k = types[1];
    const int gated = _i / ACTS;
    struct arrays a;
    double dpre[N], dup[N], th[N], v[2 * N], uj[2 * N] = {0};
    arrays_start(&a, k, gated);
    const double *d = pool_normals(&a.pool, 3, N, 1), *t = pool_normals(&a.pool, 4, 2 * N, 1);
    k->activate_vjp(acts[_i % ACTS], N, a.pre, a.up, d, dpre, dup);
    k->activate_jvp(acts[_i % ACTS], N, a.pre, a.up, t, t + N, th);
    memcpy(v, t, sizeof v);
    memcpy(uj, dpre, sizeof dpre);
    if (gated) {
        memcpy(uj + N, dup, sizeof dup);
    }
    assert_adjoint("activation", N, d, th, 2 * N, uj, v);
    pool_end(&a.pool);
}
END_TEST

/* h = pre for ReLU, whose derivative h tells as well; dpre may be dh, th may be tpre. */
START_TEST(test_in_place) {
    const struct lnstab__kernels *k = types[_i / KINDS_OF_CALL];
    const enum lnstab__activation act = acts[_i % ACTS];
    struct arrays a;
    arrays_start(&a, k, _i / ACTS % 2);
    struct pool *p = &a.pool;
    void *d = pool_draw(p, k, 3, N, 1), *t = pool_draw(p, k, 4, N, 1),
         *same = pool_copy(p, d, N * k->size);
    void *dpre = pool_nan(p, k, N), *dup = pool_nan(p, k, N), *dup_2 = pool_nan(p, k, N);
    k->activate_vjp(act, N, a.pre, a.up, d, dpre, dup);
    k->activate_vjp(act, N, a.pre, a.up, same, same, dup_2);
    ck_assert_mem_eq(dpre, same, N * k->size);
    ck_assert_mem_eq(dup, dup_2, N * k->size);
    k->activate_jvp(act, N, a.pre, a.up, d, t, dpre);
    memcpy(same, d, N * k->size);
    k->activate_jvp(act, N, a.pre, a.up, same, t, same);
    ck_assert_mem_eq(dpre, same, N * k->size);
    if (act == LNSTAB__RELU) {
        k->activate(act, N, a.pre, NULL, a.h);
        k->activate_vjp(act, N, a.pre, NULL, d, dpre, NULL);
        k->activate_vjp(act, N, a.h, NULL, d, same, NULL);
        ck_assert_mem_eq(dpre, same, N * k->size);
        k->activate(act, N, a.pre, NULL, a.pre);
        ck_assert_mem_eq(a.pre, a.h, N * k->size);
    }
    pool_end(p);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("activation");
    TCase *cases = tcase_create("activation");
    tcase_add_loop_test(cases, test_values_and_slopes, 0, 2 * ACTS);
    tcase_add_test(cases, test_the_tails_keep_their_digits);
    tcase_add_loop_test(cases, test_not_finite, 0, 2 * ACTS);
    tcase_add_loop_test(cases, test_relu, 0, 2);
    tcase_add_loop_test(cases, test_gate, 0, 2 * ACTS);
    tcase_add_loop_test(cases, test_vjp_against_differences, 0, 2 * ACTS);
    tcase_add_loop_test(cases, test_adjoint, 0, 2 * ACTS);
    tcase_add_loop_test(cases, test_in_place, 0, 2 * KINDS_OF_CALL);
    suite_add_tcase(suite, cases);
    return run_suite(suite);
}
