/* math/loss_rows.inc.h: softmax cross-entropy of one row. */

#include "support/main.h"
#include "unit/harness.h"

static const struct lnstab__kernels *const types[] = {&lnstab__kernels_f32, &lnstab__kernels_f64};

enum { V = 11 };

static long double naive_loss(const double *z, size_t target) {
    long double largest = (long double)z[0], sum = 0;
    for (size_t i = 1; i < V; ++i) {
        largest = fmaxl(largest, (long double)z[i]);
    }
    for (size_t i = 0; i < V; ++i) {
        sum += expl((long double)z[i] - largest);
    }
    return logl(sum) - ((long double)z[target] - largest);
}

/* The target a share of 1/V everywhere: the smoothed loss is the mix of that target's losses. */
static long double naive_smoothed(const double *z, size_t target, double smoothing) {
    long double sum = 0;
    for (size_t i = 0; i < V; ++i) {
        sum += naive_loss(z, i);
    }
    return (1 - (long double)smoothing) * naive_loss(z, target) + (long double)smoothing * sum / V;
}

static const double shares[] = {0, 0.1, 0.5, 1};

/* The exponentials are of the type, their sum and logarithm double: each e^(z - max) is wrong by u
 * times its distance from the largest and two roundings, so the logarithm by (range + 2) u at most. */
START_TEST(test_against_long_double) {
    static const double amplitudes[] = {0.01, 1, 20, 1e4, 1e30};
    const struct lnstab__kernels *k = types[_i];
    for (uint32_t a = 0; a < 5; ++a) {
        struct pool pool = {.count = 0};
        void *logits = pool_draw(&pool, k, a, V, amplitudes[a]);
        const double *z = pool_doubles(&pool, k, logits, V);
        const double range = fmin(4 * amplitudes[a], 100); /* beyond it e^-range is below u */
        for (size_t target = 0; target < V; ++target) {
            const double wanted = (double)naive_loss(z, target);
            assert_near("loss", target, k->cross_entropy(V, logits, target, 0.0), wanted,
                        (range + 4) * unit_roundoff(k) + 4e-16 * fabs(wanted));
            /* a mean of V distances up to 8 amplitudes in double besides */
            for (int i = 0; i < 4; ++i) {
                assert_near("smoothed", target, k->cross_entropy(V, logits, target, shares[i]),
                            (double)naive_smoothed(z, target, shares[i]),
                            (range + 4) * unit_roundoff(k) +
                                (V + 4) * DBL_EPSILON * 8 * amplitudes[a]);
            }
        }
        pool_end(&pool);
    }
}
END_TEST

/* The largest logit counts wherever it stands: without it the exponentials overflow. */
START_TEST(test_largest_at_every_place) {
    const struct lnstab__kernels *k = types[_i];
    for (size_t place = 0; place < V; ++place) {
        double values[V] = {0}, z[V], gradient[V], g[V];
        values[place] = 1e4;
        k->from_double(V, values, z);
        assert_near("loss", place, k->cross_entropy(V, z, place, 0.0), 0, 0);
        assert_near("loss", place, k->cross_entropy(V, z, (place + 1) % V, 0.0), 1e4, 0);
        k->cross_entropy_gradient(V, z, (place + 1) % V, 0.0, 1.0, gradient);
        k->to_double(V, gradient, g);
        assert_near("gradient", place, g[place], 1, 0);
        assert_near("gradient", place, g[(place + 1) % V], -1, 0);
    }
}
END_TEST

START_TEST(test_exact_values) {
    const struct lnstab__kernels *k = types[_i];
    const double rows[][V] = {
        {0}, {1e4, -1e4}, {700, 700, 700, 700, 700, 700, 700, 700, 700, 700, 700}};
    double z[V];
    k->from_double(V, rows[0], z);
    for (size_t target = 0; target < V; ++target) {
        assert_near("uniform", target, k->cross_entropy(V, z, target, 0.0), log(V), 1e-15);
    }
    k->from_double(V, rows[1], z);
    assert_near("sure", 0, k->cross_entropy(V, z, 0, 0.0), 0, 0);
    assert_near("wrong", 1, k->cross_entropy(V, z, 1, 0.0), 20000, 0);
    k->from_double(V, rows[2], z);
    assert_near("uniform far away", 0, k->cross_entropy(V, z, V - 1, 0.0), log(V), 1e-15);
    assert_near("one class", 0, k->cross_entropy(1, z, 0, 0.0), 0, 0);
}
END_TEST

/* softmax - target in long double; a rounding of every entry to the type, and as above before it. */
START_TEST(test_gradient) {
    const double share = shares[_i / 2];
    static const double amplitudes[] = {1, 20, 1e4};
    const struct lnstab__kernels *k = types[_i % 2];
    const double weight = 0.125; /* exact in both types */
    for (uint32_t a = 0; a < 3; ++a) {
        struct pool pool = {.count = 0};
        void *logits = pool_draw(&pool, k, a, V, amplitudes[a]), *out = pool_array(&pool, k, V);
        const double *z = pool_doubles(&pool, k, logits, V);
        for (size_t target = 0; target < V; ++target) {
            k->cross_entropy_gradient(V, logits, target, share, weight, out);
            const double *g = pool_doubles(&pool, k, out, V);
            double sum = 0;
            for (size_t i = 0; i < V; ++i) {
                const double p = (double)expl(-naive_loss(z, i));
                const double r = share / V + (i == target ? 1 - share : 0);
                assert_near("gradient", i, g[i], weight * (p - r), 120 * weight * unit_roundoff(k));
                sum += g[i];
            }
            assert_near("sum", target, sum, 0, V * 2 * weight * unit_roundoff(k));
        }
        pool_end(&pool);
    }
}
END_TEST

struct row {
    double z[V], loss, share;
    size_t target;
};

static void row_call(void *context) {
    struct row *r = context;
    r->loss = lnstab__kernels_f64.cross_entropy(V, r->z, r->target, r->share);
}

START_TEST(test_gradient_against_differences) {
    static const double one = 1;
    struct row r;
    const struct probe probe = {row_call, &r, &r.loss, &one, 1};
    lnstab__draw_normal((struct lnstab__stream){3, 0, 1}, 0, V, r.z);
    r.share = shares[_i];
    for (r.target = 0; r.target < V; ++r.target) {
        double gradient[V];
        lnstab__kernels_f64.cross_entropy_gradient(V, r.z, r.target, r.share, 1.0, gradient);
        probe_check(&probe, "gradient", r.z, gradient, V);
    }
}
END_TEST

START_TEST(test_nan_is_carried) {
    const struct lnstab__kernels *k = types[_i];
    for (size_t bad = 0; bad < V; ++bad) {
        double values[V] = {1, 2, 3}, z[V], gradient[V], g[V];
        values[bad] = NAN;
        k->from_double(V, values, z);
        ck_assert(isnan(k->cross_entropy(V, z, 5, 0.0)));
        k->cross_entropy_gradient(V, z, 5, 0.0, 1.0, gradient);
        k->to_double(V, gradient, g);
        ck_assert(isnan(g[0]) && isnan(g[V - 1]));
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("loss_rows");
    TCase *cases = tcase_create("loss_rows");
    tcase_add_loop_test(cases, test_against_long_double, 0, 2);
    tcase_add_loop_test(cases, test_largest_at_every_place, 0, 2);
    tcase_add_loop_test(cases, test_exact_values, 0, 2);
    tcase_add_loop_test(cases, test_gradient, 0, 8);
    tcase_add_loop_test(cases, test_gradient_against_differences, 0, 4);
    tcase_add_loop_test(cases, test_nan_is_carried, 0, 2);
    suite_add_tcase(suite, cases);
    return run_suite(suite);
}
