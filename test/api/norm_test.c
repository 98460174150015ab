/* The norm handle on a host's rows: values in test/unit/norm_rows_test.c; here strides, errors and what
 * the header promises. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/fixture.h"
#include "support/handles.h"
#include "support/main.h"

static lnstab_norm *new_norm(const char *assignments) {
    lnstab_norm *n = NULL;
    lnstab_config *c = new_config(assignments);
    ck_good(lnstab_config_message(c), lnstab_norm_create(c, &n));
    lnstab_config_destroy(c);
    return n;
}

/* Every vector of the oracle's norms.txt through the handle, in float64. */
static void replay(struct fixture *f) {
    char config[128];
    const size_t d = (size_t)fixture_integer(f, 3);
    snprintf(config, sizeof config, "norm=%s width=%zu eps=%s dtype=float64", f->words[1], d,
             f->words[4]);
    const int rms = strcmp(f->words[1], "rms") == 0;
    double *rows = malloc(12 * d * sizeof *rows), norms[4], rstd, spectral, frobenius, smallest,
           largest = 0;
    double *x = rows, *gamma = rows + d, *bias = rows + 2 * d, *dy = rows + 3 * d,
           *v = rows + 4 * d;
    double *wanted = rows + 5 * d, *got = rows + 6 * d, *dgamma = rows + 7 * d,
           *dbias = rows + 8 * d;
    lnstab_norm *n = new_norm(config);
    fixture_row(f, "x", d, x);
    fixture_row(f, "gamma", d, gamma);
    fixture_row(f, "bias", d, bias);
    fixture_row(f, "dy", d, dy);
    fixture_row(f, "v", d, v);
    ck_good(lnstab_norm_message(n), lnstab_norm_set_affine(n, gamma, rms ? NULL : bias));
    ck_good(lnstab_norm_message(n),
            lnstab_norm_jacobian(n, 1, x, 1, &rstd, &spectral, &frobenius, &smallest));
    double up = 0, along = 0;
    for (size_t i = 0; i < d; ++i) {
        largest = fmax(largest, fabs(gamma[i]));
        up = fmax(up, fabs(dy[i]));
        along = fmax(along, fabs(v[i]));
    }
    const double scale = fmax(largest * rstd, 1e-300);
    fixture_row(f, "y", d, wanted);
    ck_good(lnstab_norm_message(n), lnstab_norm_forward(n, 1, x, 1, got, 1));
    for (size_t i = 0; i < d; ++i) {
        /* y is as exact as x - mean is: an ulp of the largest x, times the slope */
        ck_assert_double_le(fabs(got[i] - wanted[i]),
                            1e-13 * fmax(1, fabs(wanted[i])) + 1e-15 * scale * fabs(x[i]));
    }
    memset(dgamma, 0, 2 * d * sizeof *dgamma);
    fixture_row(f, "dx", d, wanted);
    ck_good(lnstab_norm_message(n),
            lnstab_norm_backward(n, 1, x, 1, dy, 1, got, 1, dgamma, rms ? NULL : dbias));
    for (size_t i = 0; i < d; ++i) {
        ck_assert_double_le(fabs(got[i] - wanted[i]), 1e-12 * scale * up * (double)d);
    }
    fixture_row(f, "dgamma", d, wanted);
    for (size_t i = 0; i < d; ++i) {
        ck_assert_double_le(fabs(dgamma[i] - wanted[i]),
                            1e-13 * up * (double)d + 1e-15 * rstd * up * fabs(x[i]));
        ck_assert(rms || dbias[i] == dy[i]);
    }
    fixture_row(f, "jv", d, wanted);
    ck_good(lnstab_norm_message(n), lnstab_norm_jvp(n, 1, x, 1, v, 1, got, 1));
    for (size_t i = 0; i < d; ++i) {
        ck_assert_double_le(fabs(got[i] - wanted[i]), 1e-12 * scale * along * (double)d);
    }
    fixture_row(f, "rstd_spectral_frobenius_smallest", 4, norms);
    ck_assert_double_le(fabs(rstd - norms[0]), 1e-12 * norms[0]);
    ck_assert_double_le(fabs(frobenius - norms[2]), 1e-12 * scale);
    ck_assert_double_le(fabs(spectral - norms[1]), 1e-12 * scale);
    ck_assert_double_le(fabs(smallest - norms[3]), 1e-12 * scale);
    lnstab_norm_destroy(n);
    free(rows);
}

START_TEST(test_norms_agree_with_oracle) {
    struct fixture f = fixture_open("norms.txt");
    int cases = 0;
    while (fixture_next(&f)) {
        if (fixture_is(&f, "norm")) {
            replay(&f);
            cases++;
        }
    }
    fixture_close(&f);
    ck_assert_int_ge(cases, 100);
}
END_TEST

/* Rows apart, rows backwards, rows in place: the same numbers. */
START_TEST(test_strides_and_places_do_not_matter) {
    enum { ROWS = 7, WIDTH = 5, LD = 9 };
    lnstab_norm *n = new_norm("width=5");
    float *dense = normals(1, 1, ROWS * WIDTH, LNSTAB_FLOAT32), y[ROWS * WIDTH];
    float apart[ROWS * LD], out[ROWS * LD];
    ck_good(lnstab_norm_message(n), lnstab_norm_forward(n, ROWS, dense, WIDTH, y, WIDTH));
    for (int i = 0; i < ROWS * LD; ++i) {
        apart[i] = i % LD < WIDTH ? dense[i / LD * WIDTH + i % LD] : NAN;
        out[i] = 77;
    }
    ck_good(lnstab_norm_message(n),
            lnstab_norm_forward(n, ROWS, apart, LD, out + (ROWS - 1) * LD, -LD));
    for (int i = 0; i < ROWS * LD; ++i) {
        const float wanted = i % LD < WIDTH ? y[(ROWS - 1 - i / LD) * WIDTH + i % LD] : 77;
        ck_assert(out[i] == wanted);
    }
    ck_good(lnstab_norm_message(n), lnstab_norm_forward(n, ROWS, dense, WIDTH, dense, WIDTH));
    ck_assert_mem_eq(dense, y, sizeof y);
    free(dense);
    lnstab_norm_destroy(n);
}
END_TEST

/* Case C11: the gradients of gamma and bias have every row in them, and are added to. */
START_TEST(test_affine_gradients_count_every_row) {
    enum { WIDTH = 3, MOST = 37 };
    lnstab_norm *n = new_norm("width=3 dtype=float64");
    double *x = normals(1, 1, MOST * WIDTH, LNSTAB_FLOAT64), *dy = normals(1, 2, MOST * WIDTH, 2);
    for (size_t rows = 1; rows <= MOST; ++rows) {
        double all[2 * WIDTH] = {0}, singly[2 * WIDTH] = {0};
        ck_good(lnstab_norm_message(n),
                lnstab_norm_backward(n, rows, x, WIDTH, dy, WIDTH, NULL, 0, all, all + WIDTH));
        for (size_t i = 0; i < rows; ++i) {
            ck_good(lnstab_norm_message(n),
                    lnstab_norm_backward(n, 1, x + i * WIDTH, WIDTH, dy + i * WIDTH, WIDTH, NULL, 0,
                                         singly, singly + WIDTH));
        }
        for (int i = 0; i < 2 * WIDTH; ++i) {
            ck_assert_double_le(fabs(all[i] - singly[i]), 1e-13 * (double)rows);
        }
        ck_assert_double_gt(fabs(all[0]), 0);
    }
    free(x);
    free(dy);
    lnstab_norm_destroy(n);
}
END_TEST

START_TEST(test_bad_rows_are_errors) {
    lnstab_norm *n = new_norm("width=5 norm=rms"), *none = NULL;
    float x[10] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 0}, y[10];
    ck_assert_int_eq(lnstab_norm_create(NULL, &none), LNSTAB_ERROR_ARGUMENT);
    ck_assert_int_eq(lnstab_norm_forward(n, 2, x, 5, y, 4), LNSTAB_ERROR_ARGUMENT);
    ck_assert_str_eq(lnstab_norm_message(n), "ldy 4 would make rows of width 5 overlap");
    ck_assert_int_eq(lnstab_norm_jvp(n, 2, x, 5, x, 5, y, -4), LNSTAB_ERROR_ARGUMENT);
    ck_assert_str_eq(lnstab_norm_message(n), "ldjv -4 would make rows of width 5 overlap");
    ck_assert_int_eq(lnstab_norm_backward(n, 2, x, 5, x, 5, y, 0, NULL, NULL),
                     LNSTAB_ERROR_ARGUMENT);
    ck_assert_int_eq(lnstab_norm_forward(n, 2, NULL, 5, y, 5), LNSTAB_ERROR_ARGUMENT);
    ck_assert_str_eq(lnstab_norm_message(n), "x is NULL");
    ck_assert_int_eq(lnstab_norm_backward(n, 2, x, 5, x, 5, y, 5, NULL, y), LNSTAB_ERROR_ARGUMENT);
    ck_assert_str_eq(lnstab_norm_message(n), "norm=rms has no bias");
    ck_assert_int_eq(lnstab_norm_set_affine(n, NULL, x), LNSTAB_ERROR_ARGUMENT);
    ck_good(lnstab_norm_message(n), lnstab_norm_forward(n, 0, NULL, 5, NULL, 5));
    ck_good(lnstab_norm_message(n),
            lnstab_norm_forward(n, 2, x, 0, y, 5)); /* one row, read twice */
    ck_assert_mem_eq(y, y + 5, 5 * sizeof *y);
    ck_assert_int_eq(lnstab_norm_forward(NULL, 1, x, 5, y, 5), LNSTAB_ERROR_ARGUMENT);
    ck_assert_int_eq(lnstab_norm_backward(NULL, 1, x, 5, x, 5, y, 5, NULL, NULL),
                     LNSTAB_ERROR_ARGUMENT);
    ck_assert_int_eq(lnstab_norm_jvp(NULL, 1, x, 5, x, 5, y, 5), LNSTAB_ERROR_ARGUMENT);
    ck_assert_int_eq(lnstab_norm_jacobian(NULL, 1, x, 5, NULL, NULL, NULL, NULL),
                     LNSTAB_ERROR_ARGUMENT);
    ck_assert_int_eq(lnstab_norm_set_affine(NULL, NULL, NULL), LNSTAB_ERROR_ARGUMENT);
    ck_assert_ptr_ne(lnstab_norm_message(NULL), NULL);
    lnstab_norm_destroy(NULL);
    lnstab_norm_destroy(n);
}
END_TEST

/* With eps = 0 a constant row has no norm, and says so by NaN. */
START_TEST(test_constant_row_without_eps_is_nan) {
    lnstab_norm *n = new_norm("width=3 eps=0");
    float x[3] = {2, 2, 2}, y[3];
    ck_good(lnstab_norm_message(n), lnstab_norm_forward(n, 1, x, 3, y, 3));
    ck_assert(isnan(y[0]) && isnan(y[1]) && isnan(y[2]));
    lnstab_norm_destroy(n);
}
END_TEST

/* A row that has no Jacobian says so, and the rows next to it do not notice. Every output is optional. */
START_TEST(test_rows_without_a_jacobian_are_nan) {
    static const char *const configs[] = {"width=3 eps=0 dtype=float64",
                                          "width=3 eps=0 dtype=float64 norm=rms"};
    const double x[][3] = {{1, 2, 4},         {1, NAN, 2}, {1, 2, 4},
                           {-INFINITY, 2, 4}, {0, 0, 0},   {1, 2, 4}};
    const double gamma[] = {1, -2, 3};
    enum { ROWS = sizeof x / sizeof *x };
    for (int pass = 0; pass < 4; ++pass) {
        double rstd[ROWS], spectral[ROWS], frobenius[ROWS], smallest[ROWS], alone[ROWS];
        lnstab_norm *n = new_norm(configs[pass / 2]);
        ck_good(lnstab_norm_message(n), lnstab_norm_set_affine(n, pass % 2 ? NULL : gamma, NULL));
        ck_good(lnstab_norm_message(n),
                lnstab_norm_jacobian(n, ROWS, x, 3, rstd, spectral, frobenius, smallest));
        for (int i = 0; i < ROWS; ++i) {
            const int bad = i == 1 || i == 3 || i == 4;
            ck_assert(!isnan(spectral[i]) == !bad && !isnan(smallest[i]) == !bad);
            ck_assert(!isnan(frobenius[i]) == !bad);
            ck_assert(bad || (spectral[i] == spectral[0] && smallest[i] == smallest[0]));
        }
        ck_assert(0 < smallest[0] && smallest[0] <= spectral[0] &&
                  spectral[0] <= frobenius[0] * (1 + 1e-12));
        ck_good(lnstab_norm_message(n), lnstab_norm_jacobian(n, 1, x, 3, NULL, alone, NULL, NULL));
        ck_assert_double_eq(alone[0], spectral[0]);
        ck_good(lnstab_norm_message(n), lnstab_norm_jacobian(n, 1, x, 3, NULL, NULL, NULL, alone));
        ck_assert_double_eq(alone[0], smallest[0]);
        ck_good(lnstab_norm_message(n), lnstab_norm_jacobian(n, 1, x, 3, NULL, NULL, alone, NULL));
        ck_assert_double_eq(alone[0], frobenius[0]);
        lnstab_norm_destroy(n);
    }
}
END_TEST

int main(void) {
    const TTest *const tests[] = {
        test_norms_agree_with_oracle,          test_strides_and_places_do_not_matter,
        test_affine_gradients_count_every_row, test_bad_rows_are_errors,
        test_constant_row_without_eps_is_nan,  test_rows_without_a_jacobian_are_nan,
    };
    return run_tests("norm", tests, sizeof tests / sizeof *tests);
}
