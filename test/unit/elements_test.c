/* math/elements.inc.h: elementwise kernels and column sums, in both types. */

#include "support/main.h"
#include "unit/harness.h"

static const struct lnstab__kernels *const types[] = {&lnstab__kernels_f32, &lnstab__kernels_f64};

static double at(const struct lnstab__kernels *k, const void *x, size_t i) {
    double value;
    k->to_double(1, lnstab__at_const(k, x, i), &value);
    return value;
}

START_TEST(test_tables) {
    ck_assert_int_eq(lnstab__kernels_find(1)->dtype, 1);
    ck_assert_int_eq(lnstab__kernels_find(2)->dtype, 2);
    ck_assert_ptr_null(lnstab__kernels_find(0));
    ck_assert_ptr_eq(lnstab__kernels_find(3), &lnstab__kernels_bf16);
    ck_assert_ptr_eq(lnstab__kernels_find(4), &lnstab__kernels_f16);
    ck_assert_ptr_null(lnstab__kernels_find(5));
    ck_assert_ptr_null(lnstab__kernels_find(-1));
    ck_assert_int_eq(lnstab__kernels_f32.dtype, 1);
    ck_assert_int_eq(lnstab__kernels_f64.dtype, 2);
    ck_assert_uint_eq(lnstab__kernels_f32.size, 4);
    ck_assert_uint_eq(lnstab__kernels_f64.size, 8);
}
END_TEST

START_TEST(test_conversions) {
    static const double x[] = {0, 1.0 / 3, -1e30, 1e-300, 1e300, INFINITY};
    float single[7];
    double same[7], back[7];
    single[6] = 99;
    same[6] = 99;
    lnstab__kernels_f32.from_double(6, x, single);
    lnstab__kernels_f64.from_double(6, x, same);
    for (int i = 0; i < 6; ++i) {
        ck_assert(single[i] == (float)x[i]);
        ck_assert_double_eq(same[i], x[i]);
    }
    ck_assert(single[6] == 99 && same[6] == 99);
    lnstab__kernels_f32.to_double(6, single, back);
    ck_assert_double_eq(back[1], (double)(float)(1.0 / 3));
    ck_assert_double_eq(back[4], INFINITY);
}
END_TEST

/* A product, or two and a sum: at most three roundings of the parts' sizes. */
START_TEST(test_scale_and_add_scaled) {
    const struct lnstab__kernels *k = types[_i];
    for (size_t n = 0; n < 40; ++n) {
        struct pool pool = {.count = 0};
        void *x = pool_draw(&pool, k, 1, n, 1), *y = pool_draw(&pool, k, 2, n, 1);
        void *z = pool_array(&pool, k, n + 1), *s = pool_array(&pool, k, n + 1);
        k->add_scaled(n, 1.25, x, -0.3, y, z);
        k->scale(n, -0.7, x, s);
        for (size_t i = 0; i < n; ++i) {
            const double a = at(k, x, i), b = at(k, y, i);
            assert_near("add_scaled", i, at(k, z, i), 1.25 * a - 0.3 * b,
                        3 * unit_roundoff(k) * (fabs(1.25 * a) + fabs(0.3 * b)));
            assert_near("scale", i, at(k, s, i), -0.7 * a, 2 * unit_roundoff(k) * fabs(a));
        }
        ck_assert_double_eq(at(k, z, n), 0);
        ck_assert_double_eq(at(k, s, n), 0);
        pool_end(&pool);
    }
}
END_TEST

START_TEST(test_in_place) {
    const struct lnstab__kernels *k = types[_i];
    enum { N = 37 };
    struct pool pool = {.count = 0};
    void *x = pool_draw(&pool, k, 1, N, 1), *y = pool_draw(&pool, k, 2, N, 1);
    void *apart = pool_array(&pool, k, N);
    void *in_x = pool_copy(&pool, x, N * k->size), *in_y = pool_copy(&pool, y, N * k->size);
    k->add_scaled(N, 0.4, x, 3.1, y, apart);
    k->add_scaled(N, 0.4, in_x, 3.1, y, in_x);
    k->add_scaled(N, 0.4, x, 3.1, in_y, in_y);
    ck_assert_mem_eq(in_x, apart, N * k->size);
    ck_assert_mem_eq(in_y, apart, N * k->size);
    k->scale(N, 0.4, x, apart);
    memcpy(in_x, x, N * k->size);
    k->scale(N, 0.4, in_x, in_x);
    ck_assert_mem_eq(in_x, apart, N * k->size);
    k->scale(N, 1.0, x, apart); /* a factor of 1 copies */
    ck_assert_mem_eq(apart, x, N * k->size);
    pool_end(&pool);
}
END_TEST

START_TEST(test_repeat_row) {
    const struct lnstab__kernels *k = types[_i];
    struct pool pool = {.count = 0};
    void *row = pool_draw(&pool, k, 1, 7, 1), *y = pool_array(&pool, k, 45);
    memset(y, 0x01, 45 * k->size);
    k->repeat_row(5, 7, row, y, 9);
    for (size_t i = 0; i < 5; ++i) {
        ck_assert_mem_eq(lnstab__at(k, y, 9 * i), row, 7 * k->size);
        ck_assert(bytes_are(lnstab__at(k, y, 9 * i + 7), 2 * k->size, 0x01));
    }
    pool_end(&pool);
}
END_TEST

/* Sums in double, rounded once: 3000 times 1 + 2^-20 would drift in float32. */
START_TEST(test_column_sums) {
    const struct lnstab__kernels *k = types[_i];
    enum { ROWS = 3001, COLUMNS = 3, LD = 5 };
    struct pool pool = {.count = 0};
    double sums[COLUMNS] = {NAN, NAN, NAN}, *y = pool_take(&pool, ROWS * LD * sizeof *y);
    for (size_t i = 0; i < ROWS * LD; ++i) {
        y[i] = i % LD < COLUMNS ? (double)(i % LD + 1) * (1 + 0x1p-20) : NAN;
    }
    y[(ROWS - 1) * LD] = 1000; /* the last, odd row counts */
    void *rows = pool_array(&pool, k, ROWS * LD), *sum = pool_array(&pool, k, COLUMNS + 1);
    const double before[] = {0.5, -2, 0};
    k->from_double(ROWS * LD, y, rows);
    k->from_double(COLUMNS, before, sum);
    k->column_sums(ROWS, COLUMNS, rows, LD, sums);
    k->add_doubles(COLUMNS, sums, sum);
    for (size_t j = 0; j < COLUMNS; ++j) {
        const double column = (double)(j + 1) * (1 + 0x1p-20);
        const double wanted = before[j] + (ROWS - 1) * column + (j == 0 ? 1000 : column);
        assert_near("column", j, at(k, sum, j), wanted,
                    (unit_roundoff(k) + ROWS * 0x1p-53) * fabs(wanted));
    }
    ck_assert_double_eq(at(k, sum, COLUMNS), 0);
    pool_end(&pool);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("elements");
    TCase *cases = tcase_create("elements");
    tcase_add_test(cases, test_tables);
    tcase_add_test(cases, test_conversions);
    tcase_add_loop_test(cases, test_scale_and_add_scaled, 0, 2);
    tcase_add_loop_test(cases, test_in_place, 0, 2);
    tcase_add_loop_test(cases, test_repeat_row, 0, 2);
    tcase_add_loop_test(cases, test_column_sums, 0, 2);
    suite_add_tcase(suite, cases);
    return run_suite(suite);
}
