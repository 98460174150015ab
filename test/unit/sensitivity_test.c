/* analysis/sensitivity.h: a block of a model's Jacobian. Against dense matrices of every placement:
 * test/api/sensitivity_test.c. */

#include "analysis/sensitivity.h"

#include "support/main.h"
#include "unit/model_bench.h"

static lnstab_model *model(const char *words) {
    struct pool pool = {0};
    char all[200];
    snprintf(all, sizeof all, "krylov=24 %s", words);
    lnstab_model *m = bench_model(all);
    bench_forward(m, pool_normals(&pool, 1, BENCH_N, 1));
    pool_end(&pool);
    return m;
}

/* The sum of the squares of all entries of a block, by columns. */
static double square_of(struct lnstab__block b) {
    lnstab_model *m = (lnstab_model *)b.m;
    const size_t first = b.first * BENCH_D, count = b.rows * BENCH_D;
    double v[BENCH_N], sum = 0;
    for (size_t j = 0; j < count; ++j) {
        memset(v, 0, sizeof v);
        v[first + j] = 1;
        lnstab__model_jvp(m, b.from, b.to, v, v);
        sum += dot(count, v + first, v + first);
    }
    return sum;
}

START_TEST(test_all_values_make_the_frobenius_norm) {
    static const char *const words[] = {"placement=pre", "placement=post causal=1", "norm=rms"};
    for (int i = 0; i < 3; ++i) {
        lnstab_model *m = model(words[i]);
        for (size_t first = 0; first < BENCH_T; ++first) {
            for (size_t rows = 1; first + rows <= BENCH_T; ++rows) {
                const struct lnstab__block b = {m, 1, 5, first, rows};
                const size_t count = rows * BENCH_D;
                double sigma[BENCH_N], residual[BENCH_N];
                const struct lnstab__lanczos_result got =
                    lnstab__block_singular_values(b, count, sigma, residual);
                const double want = square_of(b);
                ck_assert_int_eq(got.converged, (int)count);
                assert_near(words[i], first, dot(count, sigma, sigma), want, 1e-13 * want);
                assert_near("norm", first, lnstab__block_norm(b), sigma[0], 1e-8 * sigma[0]);
                const struct lnstab__estimate estimate = lnstab__block_frobenius(b, 3000, 9);
                assert_near("frobenius", first, estimate.value, sqrt(want),
                            4.5 * estimate.standard_error);
            }
        }
        lnstab_model_destroy(m);
    }
}
END_TEST

/* Between neighbouring tokens of a causal stack one way is closed; a block has none of the others. */
START_TEST(test_rows_outside_of_a_block_have_no_part) {
    lnstab_model *m = model("causal=1 placement=pre");
    const struct lnstab__block first = {m, 0, 5, 0, 1}, two = {m, 0, 5, 0, 2};
    double alone[8], both[8], residual[8];
    lnstab__block_singular_values(first, 4, alone, residual);
    lnstab__block_singular_values(two, 8, both, residual);
    ck_assert_double_lt(alone[0], both[0]);
    ck_assert_double_eq(lnstab__block_frobenius(first, 8, 1).value,
                        lnstab__block_frobenius(first, 8, 1).value);
    ck_assert(lnstab__block_frobenius(first, 8, 1).value !=
              lnstab__block_frobenius(first, 8, 2).value);
    lnstab_model_destroy(m);
}
END_TEST

/* A branch that is 0 and a stream that is dropped: all of J is 0, known without an error. */
START_TEST(test_a_jacobian_of_zeros) {
    lnstab_model *m = model("placement=none layer.2.ffn.alpha=0 layer.2.ffn.beta=0");
    const struct lnstab__block b = {m, 0, 4, 0, BENCH_T};
    double sigma[3], residual[3];
    ck_assert_int_eq(lnstab__block_singular_values(b, 3, sigma, residual).converged, 3);
    const struct lnstab__estimate estimate = lnstab__block_frobenius(b, 4, 1);
    for (int i = 0; i < 3; ++i) {
        ck_assert(sigma[i] == 0 && residual[i] == 0);
    }
    ck_assert(estimate.value == 0 && estimate.standard_error == 0);
    lnstab_model_destroy(m);
}
END_TEST

/* Weights of 1e30, a norm that undoes them and eps of 1e-30: what products with J and J^T have is what cancels, no
 * two alike. Nothing of that is a norm. */
START_TEST(test_products_that_are_rounding) {
    int unlike = 0;
    for (uint64_t seed = 1; seed < 30; ++seed) {
        lnstab_model *m =
            model("placement=peri norm=rms eps=1e-30 kappa=-2 out_proj=0 activation=gelu");
        perturb(m, seed, 1e30);
        struct pool pool = {0};
        bench_forward(m, pool_normals(&pool, 1, BENCH_N, 1));
        const struct lnstab__block b = {m, 0, 3, 0, BENCH_T};
        double sigma, residual;
        const struct lnstab__lanczos_result got =
            lnstab__block_singular_values(b, 1, &sigma, &residual);
        if (got.converged == 0 && residual > 0.9 * sigma) {
            ++unlike;
            ck_assert_double_lt(lnstab__block_norm(b), 0.5 * sigma);
        }
        pool_end(&pool);
        lnstab_model_destroy(m);
    }
    ck_assert_int_gt(unlike, 0);
}
END_TEST

int main(void) {
    const TTest *const tests[] = {test_all_values_make_the_frobenius_norm,
                                  test_rows_outside_of_a_block_have_no_part,
                                  test_a_jacobian_of_zeros, test_products_that_are_rounding};
    return run_tests("sensitivity", tests, sizeof tests / sizeof *tests);
}
