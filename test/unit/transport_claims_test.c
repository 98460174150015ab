/* analysis/transport_claims.c: distances of the halves of a batch, against all ways to pair them. */

#include "analysis/stream_bounds.h"
#include "support/main.h"
#include "unit/bounds_bench.h"

enum { B = 6, T = 3, SEQUENCE = T * BENCH_D };

static lnstab_model *model(const char *words, const uint8_t *keep) {
    char all[300];
    struct pool pool = {0};
    snprintf(all, sizeof all, "keep_states=1 max_batch=6 krylov=2 %s", words);
    lnstab_model *m = bench_model(all);
    ck_good(lnstab_model_message(m),
            lnstab_model_forward_embedded(m, B, T, pool_normals(&pool, 3, B * SEQUENCE, 1), keep));
    pool_end(&pool);
    return m;
}

static double paired(const double *x) {
    double square = 0;
    for (int i = 0; i < B / 2 * SEQUENCE; ++i) {
        square += pow(x[i] - x[i + B / 2 * SEQUENCE], 2);
    }
    return sqrt(square / (B / 2.0));
}

/* The least over the six pairings of three with three. */
static double least_distance(const double a[3], const double b[3]) {
    static const int order[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                    {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    double least = INFINITY;
    for (int i = 0; i < 6; ++i) {
        double square = 0;
        for (int j = 0; j < 3; ++j) {
            square += pow(a[j] - b[order[i][j]], 2) / 3;
        }
        least = fmin(least, sqrt(square));
    }
    return least;
}

static double sliced(const double *x) {
    double most = 0;
    for (uint32_t i = 0; i < 16; ++i) {
        double u[SEQUENCE], along[B];
        ck_assert_int_eq(lnstab_random_normal(0, i, 0, SEQUENCE, u), LNSTAB_OK);
        for (int b = 0; b < B; ++b) {
            along[b] = dot(SEQUENCE, x + b * SEQUENCE, u) / sqrt(dot(SEQUENCE, u, u));
        }
        most = fmax(most, least_distance(along, along + 3));
    }
    return most;
}

static const char *const designs[] = {"placement=peri", "placement=post causal=1", "placement=pre"};

START_TEST(test_both_sides) {
    lnstab_model *m = model(designs[_i], NULL);
    const struct lnstab__scene s = lnstab__scene_of(m);
    const double start = paired(m->embed_out.data);
    for (int k = 1; k <= 5; ++k) {
        const double *x = lnstab__scene_stream(&s, k)->data;
        const double wanted = start * lnstab__stream_lipschitz(&s, k, LNSTAB__IN_THE_BALL);
        char at[40];
        snprintf(at, sizeof at, "sublayer=%d", k);
        const struct sides pairs = sides_of(m, "transport.paired", at);
        const struct sides slices = sides_of(m, "transport.sliced", at);
        ck_assert_double_eq_tol(pairs.stated, wanted, 1e-14 * wanted);
        ck_assert_double_eq_tol(slices.stated, wanted, 1e-14 * wanted);
        assert_near(at, 0, pairs.measured, paired(x), 1e-13 * pairs.measured);
        assert_near(at, 1, slices.measured, sliced(x), 1e-12 * slices.measured);
        ck_assert_double_lt(slices.measured, pairs.measured);
    }
    lnstab_model_destroy(m);
}
END_TEST

/* Halves that are masked in different ways go through different maps. */
START_TEST(test_what_is_needed) {
    static const uint8_t alike[B * T] = {1, 0, 1, 1, 1, 1, 0, 1, 1, 1, 0, 1, 1, 1, 1, 0, 1, 1};
    uint8_t other[B * T];
    memcpy(other, alike, sizeof other);
    other[B * T - 1] = 0;
    lnstab_model *m = model("", alike);
    ck_assert_double_gt(sides_of(m, "transport.paired", "sublayer=1").stated, 0);
    lnstab_model_destroy(m);
    m = model("", other);
    assert_no_sides(m, "transport.paired", "sublayer=1", "the same keep in both halves");
    lnstab_model_destroy(m);
    m = model("krylov=0", NULL);
    assert_no_sides(m, "transport.sliced", "sublayer=1", "set krylov=16");
    lnstab_model_destroy(m);
    m = bounds_model("krylov=4");
    assert_no_sides(m, "transport.sliced", "sublayer=1", "an even batch");
    lnstab_model_destroy(m);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("transport_claims");
    TCase *cases = tcase_create("transport_claims");
    tcase_add_loop_test(cases, test_both_sides, 0, sizeof designs / sizeof *designs);
    tcase_add_test(cases, test_what_is_needed);
    suite_add_tcase(suite, cases);
    return run_suite(suite);
}
