/* Singular values, Frobenius norms and norms of weights: against dense matrices made of jvp's columns. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lnstab.h"
#include "support/allocator.h"
#include "support/dense.h"
#include "support/handles.h"
#include "support/main.h"
#include "support/options.h"

enum { B = 2, T = 4, D = 8, ROWS = B * T, N = ROWS * D };

static const char *const sizes = "layers=2 width=8 ffn_width=12 heads=2 vocab=5 max_batch=2 "
                                 "max_tokens=4 input=embedded head=none gradients=0 eps=1e-3";

static lnstab_model *model(const char *words, int is_masked) {
    static const uint8_t keep[ROWS] = {1, 0, 1, 1, 1, 1, 1, 0};
    char all[500];
    snprintf(all, sizeof all, "%s dtype=float64 krylov=128 %s", sizes, words);
    lnstab_model *m = new_model(all);
    ck_good(lnstab_model_message(m), lnstab_model_init(m, 3));
    perturb(m, 4, 0.3);
    const int32_t dtype = lnstab_tensor_dtype(lnstab_model_tensor_at(m, 0));
    void *x = normals(5, 0, N, dtype);
    ck_good(lnstab_model_message(m),
            lnstab_model_forward_embedded(m, B, T, x, is_masked ? keep : NULL));
    free(x);
    return m;
}

/* The block as a matrix [count, count], row-major, by a jvp a column. */
static double *dense_block(lnstab_model *m, const char *from, const char *to, size_t first,
                           size_t rows) {
    const int32_t dtype = lnstab_tensor_dtype(lnstab_model_tensor_at(m, 0));
    const size_t count = rows * D;
    double *j = malloc(count * count * sizeof *j), room[N];
    for (size_t column = 0; column < count; ++column) {
        memset(room, 0, sizeof room);
        set_entry(room, dtype, first * D + column, 1);
        ck_good(lnstab_model_message(m), lnstab_model_jvp(m, from, to, room, room));
        for (size_t row = 0; row < count; ++row) {
            j[row * count + column] = entry(room, dtype, first * D + row);
        }
    }
    return j;
}

struct values {
    double sigma[N], residual[N];
    int32_t iterations, converged;
};

static void compare(lnstab_model *m, const char *what, const char *from, const char *to,
                    size_t first, size_t rows, int32_t k, double bound) {
    struct values got;
    double want[N], *j = dense_block(m, from, to, first, rows);
    dense_singular_values(rows * D, rows * D, j, want);
    ck_good(lnstab_model_message(m),
            lnstab_model_singular_values(m, from, to, (int64_t)first, (int64_t)rows, k, got.sigma,
                                         got.residual, &got.iterations, &got.converged));
    require(got.converged == k, "%s %s %s: %d of %d converged in %d", what, from, to,
            (int)got.converged, (int)k, (int)got.iterations);
    for (int32_t i = 0; i < k; ++i) {
        require(fabs(got.sigma[i] - want[i]) <= bound * want[0],
                "%s %s %s rows %zu %zu: sigma[%d] is %.17g, not %.17g", what, from, to, first, rows,
                (int)i, got.sigma[i], want[i]);
        require(got.residual[i] <= bound * want[0], "%s: residual %g", what, got.residual[i]);
    }
    free(j);
}

/* Every row of the table, and one that its sublayers differ in. */
static const char *const custom =
    "placement=custom final_norm=1 attn.norm_in=1 layer.2.norm_res=1 layer.1.ffn.norm_out=1 "
    "layer.2.ffn.norm_out=1 ffn.beta=0.5 alpha=1.2";

static void placement_words(int i, char words[300]) {
    if (i < lnstab_table_count("placements")) {
        snprintf(words, 300, "placement=%s", lnstab_table_text("placements", i, "name"));
    } else {
        snprintf(words, 300, "%s", custom);
    }
}

START_TEST(test_every_placement_against_dense) {
    static const char *const kinds[] = {"norm=layer", "norm=rms causal=1", "norm=layer causal=1",
                                        "norm=rms"};
    for (int kind = 0; kind < 8; ++kind) {
        char placement[300], words[400];
        placement_words(_i, placement);
        snprintf(words, sizeof words, "%s %s", placement, kinds[kind % 4]);
        lnstab_model *m = model(words, kind / 4);
        compare(m, words, "embed.out", "output", 0, ROWS, N, 1e-12);
        compare(m, words, "embed.out", "output", 0, T, T * D, 1e-12);
        compare(m, words, "embed.out", "output", T, T, 5, 1e-10);
        compare(m, words, "layer.2.attn.in", "layer.2.ffn.out", T + 1, 1, D, 1e-12);
        compare(m, words, "layer.1.ffn.in", "output", ROWS - 1, 1, 3, 1e-10);
        lnstab_model_destroy(m);
    }
}
END_TEST

/* A basis that is smaller than the space: restarts. */
START_TEST(test_every_placement_with_a_small_basis) {
    char placement[300], words[400];
    placement_words(_i, placement);
    snprintf(words, sizeof words, "%s krylov=12", placement);
    lnstab_model *m = model(words, 0);
    compare(m, words, "embed.out", "output", 0, ROWS, 5, 1e-10);
    compare(m, words, "embed.out", "layer.1.attn.out", 0, T, 6, 1e-10);
    compare(m, words, "layer.2.ffn.in", "output", 0, ROWS, 1, 1e-10);
    lnstab_model_destroy(m);
}
END_TEST

START_TEST(test_every_placement_in_float32) {
    char placement[300], words[400];
    placement_words(_i, placement);
    snprintf(words, sizeof words, "%s dtype=float32", placement);
    lnstab_model *m = model(words, 1);
    compare(m, words, "embed.out", "output", 0, ROWS, N, 1e-5);
    compare(m, words, "embed.out", "output", 2, 1, 4, 1e-5);
    lnstab_model_destroy(m);
    snprintf(words, sizeof words, "%s dtype=float32 krylov=10", placement);
    m = model(words, 0);
    compare(m, words, "embed.out", "output", T, T, 4, 1e-5);
    lnstab_model_destroy(m);
}
END_TEST

/* One state to itself: all values are 1, which is as multiple as it gets. */
START_TEST(test_no_step_is_the_identity) {
    lnstab_model *m = model("krylov=16", 0);
    struct values got;
    double value, error;
    ck_good(lnstab_model_message(m),
            lnstab_model_singular_values(m, "layer.1.attn.out", "layer.1.ffn.in", 0, ROWS, 8,
                                         got.sigma, got.residual, NULL, NULL));
    for (int i = 0; i < 8; ++i) {
        ck_assert_double_eq_tol(got.sigma[i], 1, 1e-14);
    }
    ck_good(lnstab_model_message(m),
            lnstab_model_jacobian_frobenius(m, "output", "output", 1, 2, 5, 1, &value, &error));
    ck_assert_double_eq_tol(value, 4, 1e-14);
    ck_assert_double_eq(error, 0);
    lnstab_model_destroy(m);
}
END_TEST

/* The same call, the same bits, whatever came before. */
START_TEST(test_the_same_call_gives_the_same_numbers) {
    lnstab_model *m = model("placement=pre", 0);
    struct values a, b;
    double other[1], residual[1];
    for (int i = 0; i < 2; ++i) {
        struct values *got = i ? &b : &a;
        memset(got, 0, sizeof *got);
        ck_good(lnstab_model_message(m),
                lnstab_model_singular_values(m, "embed.out", "output", 0, T, 4, got->sigma,
                                             got->residual, &got->iterations, &got->converged));
        ck_good(lnstab_model_message(m),
                lnstab_model_singular_values(m, "embed.out", "layer.1.ffn.out", 1, 1, 1, other,
                                             residual, NULL, NULL));
    }
    ck_assert_int_eq(memcmp(&a, &b, sizeof a), 0);
    lnstab_model_destroy(m);
}
END_TEST

/* ---- Frobenius ---- */

static double square(size_t n, const double *x) {
    double sum = 0;
    for (size_t i = 0; i < n; ++i) {
        sum += x[i] * x[i];
    }
    return sum;
}

/* The variance of ||J z||^2 over signs z: 2 sum over i != j of (J^T J)_ij^2. */
static double probe_variance(size_t n, const double *j) {
    double sum = 0;
    for (size_t p = 0; p < n; ++p) {
        for (size_t q = 0; q < n; ++q) {
            double entry = 0;
            for (size_t i = 0; i < n; ++i) {
                entry += j[i * n + p] * j[i * n + q];
            }
            sum += p == q ? 0 : 2 * entry * entry;
        }
    }
    return sum;
}

START_TEST(test_frobenius_norms_and_their_errors) {
    enum { PROBES = 3000 };
    static const size_t blocks[][2] = {{0, ROWS}, {T, T}, {5, 1}};
    char words[300];
    placement_words(_i, words);
    lnstab_model *m = model(words, 0);
    for (size_t i = 0; i < 3; ++i) {
        const size_t first = blocks[i][0], rows = blocks[i][1], n = rows * D;
        double value, error, *j = dense_block(m, "embed.out", "output", first, rows);
        const double want = sqrt(square(n * n, j));
        const double known = sqrt(probe_variance(n, j) / PROBES) / (2 * want);
        ck_good(lnstab_model_message(m),
                lnstab_model_jacobian_frobenius(m, "embed.out", "output", (int64_t)first,
                                                (int64_t)rows, PROBES, 7, &value, &error));
        require(fabs(value - want) <= 4 * known, "%s: %g not %g +- %g", words, value, want, known);
        require(fabs(error - known) <= 0.15 * known, "%s: error %g, not %g", words, error, known);
        free(j);
    }
    lnstab_model_destroy(m);
}
END_TEST

/* Few probes, many seeds: the squares are right on average, and so is how often the error is exceeded. */
START_TEST(test_frobenius_is_exact_on_average) {
    enum { SEEDS = 400, PROBES = 12 };
    lnstab_model *m = model("placement=peri", 0);
    double *j = dense_block(m, "embed.out", "output", 0, T), sum = 0, last = 0;
    const double want = square((size_t)(T * D * T * D), j);
    const double known = probe_variance(T * D, j) / PROBES;
    int outside = 0, same = 0;
    for (uint64_t seed = 0; seed < SEEDS; ++seed) {
        double value, error;
        ck_good(lnstab_model_message(m),
                lnstab_model_jacobian_frobenius(m, "embed.out", "output", 0, T, PROBES, seed,
                                                &value, &error));
        sum += value * value / SEEDS;
        outside += fabs(value - sqrt(want)) > 2.2 * error; /* 5 % of Student's t with 11 */
        same += value == last;
        last = value;
    }
    require(fabs(sum - want) <= 3.5 * sqrt(known / SEEDS), "%g, not %g +- %g", sum, want,
            sqrt(known / SEEDS));
    require(outside >= 5 && outside <= 50, "%d of %d outside", outside, SEEDS);
    ck_assert_int_eq(same, 0);
    free(j);
    lnstab_model_destroy(m);
}
END_TEST

START_TEST(test_frobenius_needs_no_krylov) {
    lnstab_model *m = model("krylov=0 dtype=float32 placement=pre", 0);
    double value, error;
    ck_good(lnstab_model_message(m), lnstab_model_jacobian_frobenius(m, "embed.out", "output", 0, 1,
                                                                     200, 7, &value, &error));
    double *j = dense_block(m, "embed.out", "output", 0, 1);
    ck_assert_double_le(fabs(value - sqrt(square(D * D, j))), 4 * error);
    free(j);
    lnstab_model_destroy(m);
}
END_TEST

/* ---- weights ---- */

START_TEST(test_spectral_norms_of_weights) {
    static const char *const dtypes[] = {"dtype=float64", "dtype=float32 krylov=2"};
    for (int i = 0; i < 2; ++i) {
        lnstab_model *m = model(dtypes[i], 0);
        int matrices = 0;
        for (int32_t k = 0; k < lnstab_model_tensor_count(m); ++k) {
            const lnstab_tensor *t = lnstab_model_tensor_at(m, k);
            double a[D * 12], sigma[12], lower, upper;
            if (strcmp(lnstab_tensor_role(t), "parameter") != 0 || lnstab_tensor_rank(t) != 2) {
                continue;
            }
            const size_t count = tensor_count(t), columns = (size_t)lnstab_tensor_size(t, 1);
            for (size_t e = 0; e < count; ++e) {
                a[e] = entry(lnstab_tensor_data(t), lnstab_tensor_dtype(t), e);
            }
            dense_singular_values(count / columns, columns, a, sigma);
            ck_good(lnstab_model_message(m),
                    lnstab_model_spectral_norm(m, lnstab_tensor_name(t), &lower, &upper));
            require(lower <= sigma[0] && sigma[0] <= upper && upper - lower <= 1e-8 * sigma[0],
                    "%s: %.17g in %.17g..%.17g", lnstab_tensor_name(t), sigma[0], lower, upper);
            ++matrices;
        }
        ck_assert_int_eq(matrices, 12);
        lnstab_model_destroy(m);
    }
}
END_TEST

/* ---- what can go wrong ---- */

static void expect(lnstab_model *m, int32_t status, int32_t wanted, const char *words) {
    require(status == wanted, "%d, not %d: %s", (int)status, (int)wanted, lnstab_model_message(m));
    require(strstr(lnstab_model_message(m), words), "'%s' has no '%s'", lnstab_model_message(m),
            words);
}

START_TEST(test_errors_of_singular_values) {
    double s[4] = {7, 7, 7, 7}, r[4] = {7, 7, 7, 7};
    int32_t n = 7, c = 7;
#define VALUES(from, to, first, rows, k)                                                           \
    lnstab_model_singular_values(m, from, to, first, rows, k, s, r, &n, &c)
    lnstab_model *m = model("krylov=10", 0);
    expect(m, VALUES("x", "output", 0, 1, 1), LNSTAB_ERROR_NAME, "'x' is not a state");
    expect(m, VALUES("embed.out", "y", 0, 1, 1), LNSTAB_ERROR_NAME, "'y' is not a state");
    expect(m, VALUES("output", "embed.out", 0, 1, 1), LNSTAB_ERROR_ARGUMENT,
           "from 'output' comes after to 'embed.out'");
    expect(m, VALUES("embed.out", "output", 0, 9, 1), LNSTAB_ERROR_ARGUMENT,
           "rows 9 is outside 1..8");
    expect(m, VALUES("embed.out", "output", 0, 0, 1), LNSTAB_ERROR_ARGUMENT,
           "rows 0 is outside 1..8");
    expect(m, VALUES("embed.out", "output", 8, 1, 1), LNSTAB_ERROR_ARGUMENT,
           "first 8 is outside 0..7");
    expect(m, VALUES("embed.out", "output", -1, 1, 1), LNSTAB_ERROR_ARGUMENT,
           "first -1 is outside 0..7");
    expect(m, VALUES("embed.out", "output", 0, 1, 6), LNSTAB_ERROR_ARGUMENT,
           "k 6 is outside 1..5, half of krylov 10");
    expect(m, VALUES("embed.out", "output", 0, 1, 0), LNSTAB_ERROR_ARGUMENT, "k 0 is outside 1..5");
    expect(m, VALUES(NULL, "output", 0, 1, 1), LNSTAB_ERROR_ARGUMENT, "from is NULL");
    expect(m, VALUES("embed.out", NULL, 0, 1, 1), LNSTAB_ERROR_ARGUMENT, "to is NULL");
    expect(m, lnstab_model_singular_values(m, "embed.out", "output", 0, 1, 1, NULL, r, &n, &c),
           LNSTAB_ERROR_ARGUMENT, "sigma is NULL");
    expect(m, lnstab_model_singular_values(m, "embed.out", "output", 0, 1, 1, s, NULL, &n, &c),
           LNSTAB_ERROR_ARGUMENT, "residual is NULL");
    ck_good(lnstab_model_message(m), lnstab_model_init(m, 1));
    expect(m, VALUES("embed.out", "output", 0, 1, 1), LNSTAB_ERROR_SEQUENCE, "no forward");
    lnstab_model_destroy(m);
    m = model("krylov=40", 0);
    expect(m, VALUES("embed.out", "output", 0, 1, 9), LNSTAB_ERROR_ARGUMENT,
           "k 9 is outside 1..8, rows 1 x width 8");
    lnstab_model_destroy(m);
    m = model("krylov=0", 0);
    expect(m, VALUES("embed.out", "output", 0, 1, 1), LNSTAB_ERROR_UNAVAILABLE, "set krylov=32");
    lnstab_model_destroy(m);
    m = NULL;
    ck_assert_int_eq(VALUES("embed.out", "output", 0, 1, 1), LNSTAB_ERROR_ARGUMENT);
    for (int i = 0; i < 4; ++i) {
        ck_assert(s[i] == 7 && r[i] == 7 && n == 7 && c == 7);
    }
}
END_TEST

START_TEST(test_errors_of_frobenius_norms) {
    double value = 7, error = 7;
#define FROBENIUS(from, to, first, rows, probes)                                                   \
    lnstab_model_jacobian_frobenius(m, from, to, first, rows, probes, 1, &value, &error)
    lnstab_model *m = model("", 0);
    expect(m, FROBENIUS("x", "output", 0, 1, 2), LNSTAB_ERROR_NAME, "'x' is not a state");
    expect(m, FROBENIUS("output", "embed.out", 0, 1, 2), LNSTAB_ERROR_ARGUMENT, "comes after");
    expect(m, FROBENIUS("embed.out", "output", 4, 5, 2), LNSTAB_ERROR_ARGUMENT,
           "first 4 is outside 0..3");
    expect(m, FROBENIUS("embed.out", "output", 0, 1, 1), LNSTAB_ERROR_ARGUMENT,
           "probes 1 is less than 2");
    expect(m, lnstab_model_jacobian_frobenius(m, NULL, "output", 0, 1, 2, 1, &value, &error),
           LNSTAB_ERROR_ARGUMENT, "from is NULL");
    expect(m, lnstab_model_jacobian_frobenius(m, "output", NULL, 0, 1, 2, 1, &value, &error),
           LNSTAB_ERROR_ARGUMENT, "to is NULL");
    expect(m, lnstab_model_jacobian_frobenius(m, "output", "output", 0, 1, 2, 1, NULL, &error),
           LNSTAB_ERROR_ARGUMENT, "value is NULL");
    expect(m, lnstab_model_jacobian_frobenius(m, "output", "output", 0, 1, 2, 1, &value, NULL),
           LNSTAB_ERROR_ARGUMENT, "standard_error is NULL");
    ck_good(lnstab_model_message(m), lnstab_model_init(m, 1));
    expect(m, FROBENIUS("embed.out", "output", 0, 1, 2), LNSTAB_ERROR_SEQUENCE, "no forward");
    lnstab_model_destroy(m);
    m = NULL;
    ck_assert_int_eq(FROBENIUS("embed.out", "output", 0, 1, 2), LNSTAB_ERROR_ARGUMENT);
    ck_assert(value == 7 && error == 7);
}
END_TEST

START_TEST(test_errors_of_spectral_norms) {
    double lower = 7, upper = 7;
    lnstab_model *m = model("", 0);
    expect(m, lnstab_model_spectral_norm(m, "layer.9.attn.w_q", &lower, &upper), LNSTAB_ERROR_NAME,
           "no tensor 'layer.9.attn.w_q'");
    expect(m, lnstab_model_spectral_norm(m, "output", &lower, &upper), LNSTAB_ERROR_ARGUMENT,
           "output is no matrix of weights");
    expect(m, lnstab_model_spectral_norm(m, "layer.1.attn.b_q", &lower, &upper),
           LNSTAB_ERROR_ARGUMENT, "layer.1.attn.b_q is no matrix of weights");
    expect(m, lnstab_model_spectral_norm(m, NULL, &lower, &upper), LNSTAB_ERROR_ARGUMENT,
           "parameter is NULL");
    expect(m, lnstab_model_spectral_norm(m, "layer.1.attn.w_q", NULL, &upper),
           LNSTAB_ERROR_ARGUMENT, "lower is NULL");
    expect(m, lnstab_model_spectral_norm(m, "layer.1.attn.w_q", &lower, NULL),
           LNSTAB_ERROR_ARGUMENT, "upper is NULL");
    lnstab_model_destroy(m);
    m = model("krylov=0", 0);
    expect(m, lnstab_model_spectral_norm(m, "layer.1.attn.w_q", &lower, &upper),
           LNSTAB_ERROR_UNAVAILABLE, "set krylov=32");
    lnstab_model_destroy(m);
    ck_assert_int_eq(lnstab_model_spectral_norm(NULL, "head.w", &lower, &upper),
                     LNSTAB_ERROR_ARGUMENT);
    ck_assert(lower == 7 && upper == 7);
}
END_TEST

START_TEST(test_what_is_not_finite_is_said) {
    lnstab_model *m = model("placement=pre", 0);
    double *w = data_of(m, "layer.2.ffn.w_2"), lower, upper, value, error;
    struct values got;
    w[3] = NAN;
    ck_good(lnstab_model_message(m),
            lnstab_model_spectral_norm(m, "layer.2.ffn.w_2", &lower, &upper));
    ck_assert(isnan(lower) && isnan(upper));
    ck_good(lnstab_model_message(m),
            lnstab_model_singular_values(m, "embed.out", "output", 0, 2, 3, got.sigma, got.residual,
                                         &got.iterations, &got.converged));
    for (int i = 0; i < 3; ++i) {
        ck_assert(isnan(got.sigma[i]) && isnan(got.residual[i]));
    }
    ck_assert_int_eq(got.converged, 0);
    ck_good(lnstab_model_message(m),
            lnstab_model_jacobian_frobenius(m, "embed.out", "output", 0, 1, 4, 7, &value, &error));
    ck_assert(isnan(value) && isnan(error));
    lnstab_model_destroy(m);
}
END_TEST

/* States of 1e-150 through a stack without norms whose factors are 1e150: nothing is lost on the way. */
START_TEST(test_large_and_small_jacobians) {
    static const char *const factors[] = {"alpha=1e100 beta=1e100", "alpha=1e-100 beta=1e-100"};
    for (int i = 0; i < 2; ++i) {
        char words[200];
        snprintf(words, sizeof words, "placement=none layers=1 gain_qk=0 %s", factors[i]);
        lnstab_model *m = model(words, 0);
        struct values one, stack;
        double value, error;
        ck_good(lnstab_model_message(m),
                lnstab_model_singular_values(m, "embed.out", "layer.1.attn.out", 0, T, 4, one.sigma,
                                             one.residual, NULL, &one.converged));
        compare(m, words, "embed.out", "layer.1.attn.out", 0, T, 4, 1e-10);
        ck_good(lnstab_model_message(m),
                lnstab_model_singular_values(m, "embed.out", "output", 0, T, 4, stack.sigma,
                                             stack.residual, NULL, &stack.converged));
        ck_good(
            lnstab_model_message(m),
            lnstab_model_jacobian_frobenius(m, "embed.out", "output", 0, T, 50, 7, &value, &error));
        ck_assert(one.converged == 4 && stack.converged == 4);
        ck_assert(value > stack.sigma[0] && value < 6 * stack.sigma[0] && error < value);
        lnstab_model_destroy(m);
    }
}
END_TEST

START_TEST(test_the_room_is_paid_for_by_krylov) {
    size_t bytes[3];
    static const char *const words[] = {"", "krylov=2", "krylov=4"};
    for (int i = 0; i < 3; ++i) {
        lnstab_config *c = new_config(sizes);
        ck_good(lnstab_config_message(c), lnstab_config_set(c, words[i]));
        ck_good(lnstab_config_message(c), lnstab_model_size(c, &bytes[i]));
        lnstab_config_destroy(c);
    }
    ck_assert_uint_eq(bytes[2] - bytes[1], (2 * 2 * N + 2 * 64) * sizeof(double) + 2 * 64);
    ck_assert_uint_ge(bytes[1] - bytes[0],
                      5 * N * sizeof(double) + 2 * D * (D + 64) * sizeof(double));
    lnstab_config *c = new_config(sizes);
    size_t needed;
    ck_good(lnstab_config_message(c), lnstab_config_set(c, "krylov=1"));
    ck_assert_int_eq(lnstab_model_size(c, &needed), LNSTAB_ERROR_ARGUMENT);
    ck_assert_str_eq(lnstab_config_message(c), "krylov 1 is no basis: 0, or 2 and more");
    ck_good(lnstab_config_message(c),
            lnstab_config_set(c, "krylov=2 width=1048576 heads=1 max_batch=1 max_tokens=2048"));
    ck_assert_int_eq(lnstab_model_size(c, &needed), LNSTAB_ERROR_ARGUMENT);
    ck_assert_ptr_nonnull(
        strstr(lnstab_config_message(c), "vectors of more than 2147483647 entries"));
    lnstab_config_destroy(c);
}
END_TEST

START_TEST(test_nothing_is_allocated) {
    struct counting counts = {.left = -1};
    lnstab_config *c;
    lnstab_model *m;
    struct values got;
    double value, error, x[N];
    ck_assert_int_eq(lnstab_config_create(counting_alloc, counting_release, &counts, &c),
                     LNSTAB_OK);
    ck_good(lnstab_config_message(c), lnstab_config_set(c, sizes));
    ck_good(lnstab_config_message(c), lnstab_config_set(c, "krylov=16 dtype=float64"));
    ck_good(lnstab_config_message(c), lnstab_model_create(c, &m));
    ck_good(lnstab_model_message(m), lnstab_model_init(m, 1));
    ck_good("", lnstab_random_normal(1, 0, 0, N, x));
    ck_good(lnstab_model_message(m), lnstab_model_forward_embedded(m, B, T, x, NULL));
    const int taken = counts.taken;
    ck_good(lnstab_model_message(m),
            lnstab_model_singular_values(m, "embed.out", "output", 0, ROWS, 8, got.sigma,
                                         got.residual, &got.iterations, &got.converged));
    ck_good(lnstab_model_message(m),
            lnstab_model_jacobian_frobenius(m, "embed.out", "output", 0, 1, 4, 7, &value, &error));
    ck_good(lnstab_model_message(m),
            lnstab_model_spectral_norm(m, "layer.1.ffn.w_1", &value, &error));
    ck_assert_int_eq(counts.taken, taken);
    lnstab_model_destroy(m);
    lnstab_config_destroy(c);
    ck_assert_int_eq(counts.taken, counts.given);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("sensitivity");
    TCase *cases = tcase_create("sensitivity");
    const int placements = lnstab_table_count("placements") + 1;
    tcase_set_timeout(cases, 60);
    tcase_add_loop_test(cases, test_every_placement_against_dense, 0, placements);
    tcase_add_loop_test(cases, test_every_placement_with_a_small_basis, 0, placements);
    tcase_add_loop_test(cases, test_every_placement_in_float32, 0, placements);
    tcase_add_test(cases, test_no_step_is_the_identity);
    tcase_add_test(cases, test_the_same_call_gives_the_same_numbers);
    tcase_add_loop_test(cases, test_frobenius_norms_and_their_errors, 0, placements);
    tcase_add_test(cases, test_frobenius_is_exact_on_average);
    tcase_add_test(cases, test_frobenius_needs_no_krylov);
    tcase_add_test(cases, test_spectral_norms_of_weights);
    tcase_add_test(cases, test_errors_of_singular_values);
    tcase_add_test(cases, test_errors_of_frobenius_norms);
    tcase_add_test(cases, test_errors_of_spectral_norms);
    tcase_add_test(cases, test_what_is_not_finite_is_said);
    tcase_add_test(cases, test_large_and_small_jacobians);
    tcase_add_test(cases, test_the_room_is_paid_for_by_krylov);
    tcase_add_test(cases, test_nothing_is_allocated);
    suite_add_tcase(suite, cases);
    return run_suite(suite);
}
