/* nn/rotary.h: pairs of a head turned by an angle that grows with the position. */

#include "nn/rotary.h"

#include "support/main.h"
#include "unit/harness.h"

enum { B = 2, T = 7, HEADS = 3, HD = 6, HALF = HD / 2, ROWS = B * T, D = HEADS * HD, N = ROWS * D };

static const struct lnstab__kernels *const types[] = {&lnstab__kernels_f32, &lnstab__kernels_f64};
static const double base = 100;

struct scene {
    struct bench b;
    struct lnstab__rotary r;
    void *x;
};

/* The table is longer than the batch. */
static void scene_start(struct scene *s, const struct lnstab__kernels *k) {
    bench_start(&s->b, k, B, T, D, 1, HEADS, 1);
    const size_t angles = (T + 3) * HALF * sizeof(double);
    s->r =
        (struct lnstab__rotary){HD, pool_take(&s->b.pool, angles), pool_take(&s->b.pool, angles)};
    lnstab__rotary_fill(&s->r, T + 3, base);
    s->x = pool_draw(&s->b.pool, k, 1, N, 1);
}

static double length_of(const double *x, size_t n) {
    return sqrt(dot(n, x, x));
}

/* A number times e^{i angle}, complex: two products and a sum, rounded once to the type. */
START_TEST(test_each_pair_turns) {
    const struct lnstab__kernels *k = types[_i];
    struct scene s;
    scene_start(&s, k);
    const double *x = pool_doubles(&s.b.pool, k, s.x, N);
    lnstab__rotary_apply(&s.r, &s.b.run, HEADS, 1.0, s.x);
    const double *y = pool_doubles(&s.b.pool, k, s.x, N);
    for (size_t i = 0; i < ROWS * HEADS; ++i) {
        const double t = (double)(i / HEADS % T);
        for (size_t j = 0; j < HALF; ++j) {
            const double angle = t * pow(base, -2.0 * (double)j / HD);
            const double a = x[i * HD + j], b = x[i * HD + j + HALF];
            const double bound =
                (unit_roundoff(k) + 8 * DBL_EPSILON * (1 + t)) * (fabs(a) + fabs(b));
            assert_near("low", i, y[i * HD + j], a * cos(angle) - b * sin(angle), bound);
            assert_near("high", i, y[i * HD + j + HALF], a * sin(angle) + b * cos(angle), bound);
        }
    }
    pool_end(&s.b.pool);
}
END_TEST

/* Nothing moves at position 0, and lengths stay everywhere. */
START_TEST(test_orthogonal) {
    const struct lnstab__kernels *k = types[_i];
    struct scene s;
    scene_start(&s, k);
    const double *x = pool_doubles(&s.b.pool, k, s.x, N);
    lnstab__rotary_apply(&s.r, &s.b.run, HEADS, 1.0, s.x);
    const double *y = pool_doubles(&s.b.pool, k, s.x, N);
    for (size_t row = 0; row < ROWS; ++row) {
        const double own = length_of(x + row * D, D);
        assert_near("length", row, length_of(y + row * D, D), own, 4 * unit_roundoff(k) * own);
        ck_assert_int_eq(memcmp(x + row * D, y + row * D, D * sizeof *x) == 0, row % T == 0);
    }
    pool_end(&s.b.pool);
}
END_TEST

/* Sign -1 turns back, and is the transpose: <u, R v> = <R^T u, v>. */
START_TEST(test_sign_inverts) {
    struct scene s;
    scene_start(&s, types[1]);
    const double *x = pool_copy(&s.b.pool, s.x, N * sizeof *x);
    double *y = s.x, u[N];
    const double *v = pool_normals(&s.b.pool, 2, N, 1);
    lnstab__rotary_apply(&s.r, &s.b.run, HEADS, 1.0, y);
    memcpy(u, v, sizeof u);
    lnstab__rotary_apply(&s.r, &s.b.run, HEADS, -1.0, u);
    assert_adjoint("rotation", N, v, y, N, u, x);
    lnstab__rotary_apply(&s.r, &s.b.run, HEADS, -1.0, y);
    for (size_t i = 0; i < N; ++i) {
        assert_near("back", i, y[i], x[i], 8 * DBL_EPSILON * 4);
    }
    pool_end(&s.b.pool);
}
END_TEST

/* <R_s q, R_t k> depends on s - t alone: the same q and k at every position. */
START_TEST(test_scores_depend_on_the_distance) {
    struct scene s;
    double score[T][T];
    scene_start(&s, types[1]);
    const double *q = pool_normals(&s.b.pool, 2, HD, 1), *key = pool_normals(&s.b.pool, 3, HD, 1);
    double q_at[ROWS][HD], k_at[ROWS][HD];
    for (size_t row = 0; row < ROWS; ++row) {
        memcpy(q_at[row], q, sizeof q_at[row]);
        memcpy(k_at[row], key, sizeof k_at[row]);
    }
    lnstab__rotary_apply(&s.r, &s.b.run, 1, 1.0, q_at);
    lnstab__rotary_apply(&s.r, &s.b.run, 1, 1.0, k_at);
    const double bound = 1e-14 * length_of(q, HD) * length_of(key, HD);
    for (size_t i = 0; i < T; ++i) {
        for (size_t j = 0; j < T; ++j) {
            score[i][j] = dot(HD, q_at[i], k_at[j]);
            if (i > 0 && j > 0) {
                assert_near("score", i * T + j, score[i][j], score[i - 1][j - 1], bound);
            }
        }
    }
    ck_assert_double_gt(fabs(score[2][0] - score[1][0]), 1e-3);
    ck_assert_double_gt(fabs(score[1][0] - score[0][1]), 1e-3); /* and on its sign */
    pool_end(&s.b.pool);
}
END_TEST

START_TEST(test_without_a_table_nothing_turns) {
    struct scene s;
    scene_start(&s, types[_i]);
    const void *before = pool_copy(&s.b.pool, s.x, N * types[_i]->size);
    const struct lnstab__rotary none = {0};
    lnstab__rotary_apply(&none, &s.b.run, HEADS, 1.0, s.x);
    ck_assert_mem_eq(before, s.x, N * types[_i]->size);
    pool_end(&s.b.pool);
}
END_TEST

START_TEST(test_base_1_turns_every_pair_alike) {
    double cosine[3 * HALF], sine[3 * HALF];
    struct lnstab__rotary r = {HD, cosine, sine};
    lnstab__rotary_fill(&r, 3, 1.0);
    for (size_t i = 0; i < 3 * HALF; ++i) {
        assert_near("cosine", i, cosine[i], cos((double)(i / HALF)), 0);
        assert_near("sine", i, sine[i], sin((double)(i / HALF)), 0);
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("rotary");
    TCase *cases = tcase_create("rotary");
    tcase_add_loop_test(cases, test_each_pair_turns, 0, 2);
    tcase_add_loop_test(cases, test_orthogonal, 0, 2);
    tcase_add_test(cases, test_sign_inverts);
    tcase_add_test(cases, test_scores_depend_on_the_distance);
    tcase_add_loop_test(cases, test_without_a_table_nothing_turns, 0, 2);
    tcase_add_test(cases, test_base_1_turns_every_pair_alike);
    suite_add_tcase(suite, cases);
    return run_suite(suite);
}
