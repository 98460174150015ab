/* The norm handle on a host's rows: values in test/unit/norm_rows_test.c; here strides, errors and what
 * the header promises. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/allocator.h"
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
        ck_assert_double_le(fabs(got[i] - wanted[i]), 1e-13 * fmax(1, fabs(wanted[i])));
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
        ck_assert_double_le(fabs(dgamma[i] - wanted[i]), 1e-13 * up * (double)d);
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

static const char *const dtypes[] = {"", "float32", "float64", "bfloat16", "float16"};

static int32_t affine_type(int32_t dtype) {
    return dtype == LNSTAB_FLOAT64 ? LNSTAB_FLOAT64 : LNSTAB_FLOAT32;
}

/* A norm of the dtype with the gamma 0.5, -1, 1.5, -2, ..., 0 last, which every type holds. */
static lnstab_norm *new_typed_norm(const char *words, int32_t dtype, size_t width) {
    char config[128];
    double gamma[64];
    snprintf(config, sizeof config, "width=%zu dtype=%s %s", width, dtypes[dtype], words);
    lnstab_norm *n = new_norm(config);
    for (size_t i = 0; i < width; ++i) {
        const double value = i + 1 == width ? 0 : (i % 2 ? -0.5 : 0.5) * (double)(i + 1);
        set_entry(gamma, affine_type(dtype), i, value);
    }
    ck_good(lnstab_norm_message(n), lnstab_norm_set_affine(n, gamma, NULL));
    return n;
}

enum { FIRST = LNSTAB_FLOAT32, BEHIND = LNSTAB_FLOAT16 + 1 };
static const char *const kinds[] = {"norm=layer", "norm=rms"};

/* Rows apart, rows backwards, rows in place: the same bytes, and nothing between the rows is written. */
START_TEST(test_strides_and_places_do_not_matter) {
    enum { ROWS = 7, WIDTH = 5, LD = 9 };
    const size_t size = element_size(_i), bytes = WIDTH * size;
    lnstab_norm *n = new_typed_norm("", _i, WIDTH);
    unsigned char *x = normals(1, 1, ROWS * WIDTH, _i), *v = normals(1, 2, ROWS * WIDTH, _i);
    unsigned char apart[ROWS * LD * 8], out[ROWS * LD * 8], y[3][ROWS * WIDTH * 8],
        before[ROWS * LD * 8];
    ck_good("", lnstab_norm_forward(n, ROWS, x, WIDTH, y[0], WIDTH));
    ck_good("", lnstab_norm_backward(n, ROWS, x, WIDTH, v, WIDTH, y[1], WIDTH, NULL, NULL));
    ck_good("", lnstab_norm_jvp(n, ROWS, x, WIDTH, v, WIDTH, y[2], WIDTH));
    memset(apart, 0xff, sizeof apart); /* NaN */
    for (size_t i = 0; i < ROWS; ++i) {
        memcpy(apart + i * LD * size, x + i * bytes, bytes);
    }
    unsigned char *last = out + (ROWS - 1) * LD * size;
    for (int pass = 0; pass < 3; ++pass) {
        memset(out, 0x77, sizeof out);
        memset(before, 0x77, sizeof before);
        ck_good("", pass == 0 ? lnstab_norm_forward(n, ROWS, apart, LD, last, -LD)
                    : pass == 1
                        ? lnstab_norm_backward(n, ROWS, apart, LD, v, WIDTH, last, -LD, NULL, NULL)
                        : lnstab_norm_jvp(n, ROWS, apart, LD, v, WIDTH, last, -LD));
        for (size_t i = 0; i < ROWS; ++i) {
            memcpy(before + (ROWS - 1 - i) * LD * size, y[pass] + i * bytes, bytes);
        }
        ck_assert_mem_eq(out, before, sizeof out);
    }
    memcpy(out, v, ROWS * bytes);
    ck_good("", lnstab_norm_jvp(n, ROWS, x, WIDTH, out, WIDTH, out, WIDTH));
    ck_assert_mem_eq(out, y[2], ROWS * bytes);
    memcpy(out, x, ROWS * bytes);
    ck_good("", lnstab_norm_backward(n, ROWS, out, WIDTH, v, WIDTH, out, WIDTH, NULL, NULL));
    ck_assert_mem_eq(out, y[1], ROWS * bytes);
    ck_good("", lnstab_norm_forward(n, ROWS, x, WIDTH, x, WIDTH));
    ck_assert_mem_eq(x, y[0], ROWS * bytes);
    free(x);
    free(v);
    lnstab_norm_destroy(n);
}
END_TEST

/* Column j of the Jacobian is the jvp of the unit vector j, but for that one's rounding to the type. */
START_TEST(test_dense_jacobian_is_that_of_the_jvp) {
    static const size_t widths[] = {1, 2, 3, 19};
    double J[19 * 19], v[19], jv[19], rstd;
    const double u = element_roundoff(_i), least = _i == LNSTAB_FLOAT16 ? 0x1p-25 : 0;
    for (int c = 0; c < 8; ++c) {
        const size_t d = widths[c / 2];
        lnstab_norm *n = new_typed_norm(kinds[c % 2], _i, d);
        void *x = normals(3, 1, d, _i);
        ck_good("", lnstab_norm_jacobian_dense(n, x, J));
        ck_good("", lnstab_norm_jacobian(n, 1, x, 0, &rstd, NULL, NULL, NULL));
        for (size_t j = 0; j < d; ++j) {
            for (size_t i = 0; i < d; ++i) {
                set_entry(v, _i, i, i == j);
            }
            ck_good("", lnstab_norm_jvp(n, 1, x, 0, v, 0, jv, 0));
            for (size_t i = 0; i < d; ++i) {
                const double wanted = J[i * d + j], bound = u * fabs(wanted) + least;
                ck_assert_double_le(fabs(entry(jv, _i, i) - wanted),
                                    bound + 1e-14 * rstd * (double)d);
            }
        }
        free(x);
        lnstab_norm_destroy(n);
    }
}
END_TEST

/* <u, J v> = <u J, v>, where lnstab_norm_backward without dgamma and dbias gives u J. */
START_TEST(test_backward_is_the_vjp) {
    enum { D = 40 };
    for (int kind = 0; kind < 2; ++kind) {
        double jv[D], uj[D], left = 0, right = 0, size = 0;
        lnstab_norm *n = new_typed_norm(kinds[kind], _i, D);
        void *x = normals(4, 1, D, _i), *u = normals(4, 2, D, _i), *v = normals(4, 3, D, _i);
        ck_good("", lnstab_norm_jvp(n, 1, x, D, v, D, jv, D));
        ck_good("", lnstab_norm_backward(n, 1, x, D, u, D, uj, D, NULL, NULL));
        for (size_t i = 0; i < D; ++i) {
            const double a = entry(u, _i, i) * entry(jv, _i, i),
                         b = entry(uj, _i, i) * entry(v, _i, i);
            left += a;
            right += b;
            size += fabs(a) + fabs(b);
        }
        ck_assert_double_gt(fabs(left), 4 * element_roundoff(_i) * size);
        ck_assert_double_le(fabs(left - right), (element_roundoff(_i) + 1e-15) * size);
        free(x);
        free(u);
        free(v);
        lnstab_norm_destroy(n);
    }
}
END_TEST

/* Every entry of the row's Jacobian is as finite as the row. */
static void expect_dense(lnstab_norm *n, const void *row, int finite) {
    double J[16];
    ck_good(lnstab_norm_message(n), lnstab_norm_jacobian_dense(n, row, J));
    for (int i = 0; i < 16; ++i) {
        ck_assert_int_eq(isfinite(J[i]) != 0, finite);
    }
}

/* Rows with a NaN, an infinity, or without a norm are counted and named, wherever the next row is. */
START_TEST(test_rows_that_are_not_finite_are_named) {
    enum { ROWS = 8, D = 4, LD = 6 };
    const int32_t dtype = FIRST + _i / 2;
    const int rms = _i % 2;
    double x[ROWS * LD];
    size_t count = 99, places[ROWS] = {77, 77, 77, 77, 77, 77, 77, 77};
    for (size_t i = 0; i < ROWS * LD; ++i) {
        set_entry(x, dtype, i, i % LD < D ? (double)(i * i % 7) : NAN);
    }
    set_entry(x, dtype, 1 * LD + 3, NAN);
    set_entry(x, dtype, 4 * LD + 0, -INFINITY);
    for (size_t i = 0; i < D; ++i) {
        set_entry(x, dtype, 6 * LD + i, rms ? 0 : 3);
    }
    lnstab_norm *n = new_typed_norm(rms ? "norm=rms eps=0" : "eps=0", dtype, D);
    ck_good("", lnstab_norm_nonfinite(n, ROWS, x, LD, &count, places, ROWS));
    ck_assert_uint_eq(count, 3);
    ck_assert(places[0] == 1 && places[1] == 4 && places[2] == 6 && places[3] == 77);
    for (size_t i = 0; i < ROWS; ++i) {
        expect_dense(n, (unsigned char *)x + i * LD * element_size(dtype),
                     i != 1 && i != 4 && i != 6);
    }
    places[0] = places[1] = 77;
    const unsigned char *last = (unsigned char *)x + (ROWS - 1) * LD * element_size(dtype);
    ck_good("", lnstab_norm_nonfinite(n, ROWS, last, -LD, &count, places, 1));
    ck_assert_uint_eq(count, 3);
    ck_assert(places[0] == 1 && places[1] == 77); /* 7 - 6; no more than there is room for */
    ck_good("", lnstab_norm_nonfinite(n, ROWS, x, LD, NULL, NULL, 0));
    ck_good("", lnstab_norm_nonfinite(n, 0, NULL, LD, &count, NULL, 0));
    ck_assert_uint_eq(count, 0);
    lnstab_norm_destroy(n);
    n = new_typed_norm(rms ? "norm=rms" : "", dtype, D); /* with eps every finite row has a norm */
    ck_good("", lnstab_norm_nonfinite(n, ROWS, x, LD, &count, NULL, 0));
    ck_assert_uint_eq(count, 2);
    lnstab_norm_destroy(n);
}
END_TEST

/* One allocation at creation, none in any call. */
START_TEST(test_only_creation_allocates) {
    enum { ROWS = 3, D = 16 };
    struct counting counting = {.left = -1};
    lnstab_config *c = NULL;
    lnstab_norm *n = NULL;
    char words[60];
    double affine[2][D] = {{0}}, J[D * D], sizes[4][ROWS], y[ROWS * D];
    size_t count;
    void *x = normals(5, 1, ROWS * D, _i), *v = normals(5, 2, ROWS * D, _i);
    ck_assert_int_eq(lnstab_config_create(counting_alloc, counting_release, &counting, &c), 0);
    snprintf(words, sizeof words, "width=%d dtype=%s", D, dtypes[_i]);
    ck_good("", lnstab_config_set(c, words));
    ck_good("", lnstab_norm_create(c, &n));
    ck_assert_int_eq(counting.taken, 2);
    set_entry(affine[0], affine_type(_i), 3, -2);
    ck_good("", lnstab_norm_set_affine(n, affine[0], affine[1]));
    ck_good("", lnstab_norm_forward(n, ROWS, x, D, y, D));
    ck_good("", lnstab_norm_backward(n, ROWS, x, D, v, D, y, D, affine[0], affine[1]));
    ck_good("", lnstab_norm_jvp(n, ROWS, x, D, v, D, y, D));
    ck_good("", lnstab_norm_jacobian(n, ROWS, x, D, sizes[0], sizes[1], sizes[2], sizes[3]));
    ck_good("", lnstab_norm_jacobian_dense(n, x, J));
    ck_good("", lnstab_norm_nonfinite(n, ROWS, x, D, &count, NULL, 0));
    ck_assert(lnstab_norm_forward(n, ROWS, x, D, y, 1) < 0);
    ck_assert(counting.taken == 2 && counting.given == 0);
    lnstab_norm_destroy(n);
    lnstab_config_destroy(c);
    ck_assert_int_eq(counting.given, 2);
    free(x);
    free(v);
}
END_TEST

START_TEST(test_a_model_refuses_types_of_rows) {
    lnstab_model *m = NULL;
    lnstab_config *c = new_config("layers=1 width=8 dtype=bfloat16");
    ck_assert_int_eq(lnstab_model_create(c, &m), LNSTAB_ERROR_ARGUMENT);
    ck_assert_str_eq(lnstab_config_message(c),
                     "dtype bfloat16 is for norms of a host's rows only: a "
                     "model is float32 or float64");
    ck_good("", lnstab_config_set(c, "dtype=float16"));
    ck_assert_int_eq(lnstab_model_create(c, &m), LNSTAB_ERROR_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(lnstab_config_message(c), "dtype float16 is for norms"));
    ck_good("", lnstab_config_set(c, "dtype=float32"));
    ck_good("", lnstab_model_create(c, &m));
    lnstab_model_destroy(m);
    lnstab_config_destroy(c);
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

START_TEST(test_each_gradient_may_be_left_out) {
    enum { WIDTH = 5, BOTH = 2 };
    lnstab_norm *n = new_norm("width=5 dtype=float64");
    double *x = normals(1, 1, BOTH * WIDTH, 2), *dy = normals(1, 2, BOTH * WIDTH, 2);
    double dgamma[BOTH][WIDTH] = {{0}}, dbias[BOTH][WIDTH] = {{0}};
    const size_t bytes = sizeof dgamma[0], rows = BOTH;
    ck_good("", lnstab_norm_backward(n, rows, x, WIDTH, dy, WIDTH, NULL, 0, dgamma[0], dbias[0]));
    ck_good("", lnstab_norm_backward(n, rows, x, WIDTH, dy, WIDTH, NULL, 0, dgamma[1], NULL));
    ck_good("", lnstab_norm_backward(n, rows, x, WIDTH, dy, WIDTH, NULL, 0, NULL, dbias[1]));
    ck_assert_mem_eq(dgamma[0], dgamma[1], bytes);
    ck_assert_mem_eq(dbias[0], dbias[1], bytes);
    ck_assert(dgamma[0][0] != 0 && dbias[0][0] != 0);
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
    double J[25];
    size_t count = 7, place = 7;
    ck_assert_int_eq(lnstab_norm_jacobian_dense(NULL, x, J), LNSTAB_ERROR_ARGUMENT);
    ck_assert_int_eq(lnstab_norm_jacobian_dense(n, NULL, J), LNSTAB_ERROR_ARGUMENT);
    ck_assert_str_eq(lnstab_norm_message(n), "x is NULL");
    ck_assert_int_eq(lnstab_norm_jacobian_dense(n, x, NULL), LNSTAB_ERROR_ARGUMENT);
    ck_assert_str_eq(lnstab_norm_message(n), "J is NULL");
    ck_assert_int_eq(lnstab_norm_nonfinite(NULL, 1, x, 5, &count, &place, 1),
                     LNSTAB_ERROR_ARGUMENT);
    ck_assert_int_eq(lnstab_norm_nonfinite(n, 1, NULL, 5, &count, &place, 1),
                     LNSTAB_ERROR_ARGUMENT);
    ck_assert_int_eq(lnstab_norm_nonfinite(n, 1, x, 5, &count, NULL, 1), LNSTAB_ERROR_ARGUMENT);
    ck_assert_str_eq(lnstab_norm_message(n), "places is NULL, capacity 1");
    ck_assert(count == 7 && place == 7);
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
    Suite *suite = suite_create("norm");
    TCase *cases = tcase_create("norm");
    tcase_add_test(cases, test_norms_agree_with_oracle);
    tcase_add_test(cases, test_affine_gradients_count_every_row);
    tcase_add_test(cases, test_each_gradient_may_be_left_out);
    tcase_add_test(cases, test_bad_rows_are_errors);
    tcase_add_test(cases, test_constant_row_without_eps_is_nan);
    tcase_add_test(cases, test_rows_without_a_jacobian_are_nan);
    tcase_add_test(cases, test_a_model_refuses_types_of_rows);
    tcase_add_loop_test(cases, test_strides_and_places_do_not_matter, FIRST, BEHIND);
    tcase_add_loop_test(cases, test_dense_jacobian_is_that_of_the_jvp, FIRST, BEHIND);
    tcase_add_loop_test(cases, test_backward_is_the_vjp, FIRST, BEHIND);
    tcase_add_loop_test(cases, test_only_creation_allocates, FIRST, BEHIND);
    tcase_add_loop_test(cases, test_rows_that_are_not_finite_are_named, 0, 8);
    suite_add_tcase(suite, cases);
    return run_suite(suite);
}
