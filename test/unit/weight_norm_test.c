/* analysis/weight_norm.h: parameters, heads of them, and products, of any shape, dtype and scale. */

#include "analysis/weight_norm.h"

#include "support/dense.h"
#include "support/main.h"
#include "unit/model_bench.h"

/* Rounding of the oracle, which is a double in the end. */
static void check(const char *what, struct lnstab__norm_bounds b, double norm) {
    require(b.lower <= norm * (1 + 1e-15) && norm <= b.upper * (1 + 1e-15),
            "%s: %.17g not in %.17g..%.17g", what, norm, b.lower, b.upper);
    require(b.upper - b.lower <= 1e-8 * norm, "%s: %.17g..%.17g is wide", what, b.lower, b.upper);
}

static double norm_of(size_t rows, size_t columns, const double *a) {
    double sigma[64];
    ck_assert(rows <= 64 || columns <= 64);
    dense_singular_values(rows, columns, a, sigma);
    return sigma[0];
}

static lnstab_model *model(const char *dtype) {
    char words[300];
    snprintf(words, sizeof words,
             "layers=1 width=12 ffn_width=90 heads=3 kv_heads=1 vocab=150 max_tokens=5 gated=1 "
             "krylov=8 dtype=%s",
             dtype);
    lnstab_model *m = new_model(words);
    lnstab__model_init(m, 3);
    return m;
}

static const char *const dtypes[] = {"float64", "float32"};

START_TEST(test_every_matrix_of_a_model) {
    for (int i = 0; i < 2; ++i) {
        lnstab_model *m = model(dtypes[i]);
        int matrices = 0;
        for (int32_t k = 0; k < m->parameter_count; ++k) {
            const struct lnstab_tensor *t = &m->tensors[k];
            if (t->rank == 2) {
                struct pool p = {0};
                const struct lnstab__weight w = lnstab__weight_of(t);
                ck_assert_uint_eq(w.rows * w.columns, lnstab__tensor_count(t));
                const double *a = pool_doubles(&p, m->kernels, t->held.data, w.rows * w.columns);
                check(t->name, lnstab__weight_norm(m, w), norm_of(w.rows, w.columns, a));
                pool_end(&p);
                ++matrices;
            }
        }
        ck_assert_int_eq(matrices, 9);
        lnstab_model_destroy(m);
    }
}
END_TEST

/* op(A) as a dense matrix. */
static double *dense(struct pool *p, const lnstab_model *m, struct lnstab__weight w) {
    double *held = pool_doubles(p, m->kernels, w.data, (w.rows - 1) * w.stride + w.columns);
    double *out = pool_take(p, w.rows * w.columns * sizeof *out);
    for (size_t i = 0; i < w.rows; ++i) {
        for (size_t j = 0; j < w.columns; ++j) {
            out[w.transposed ? j * w.rows + i : i * w.columns + j] = held[i * w.stride + j];
        }
    }
    return out;
}

static double product_norm(const lnstab_model *m, struct lnstab__weight a,
                           struct lnstab__weight b) {
    struct pool p = {0};
    const double *x = dense(&p, m, a), *y = dense(&p, m, b);
    const size_t rows = a.transposed ? a.columns : a.rows;
    const size_t inner = a.transposed ? a.rows : a.columns;
    const size_t columns = b.transposed ? b.rows : b.columns;
    double *c = pool_take(&p, rows * columns * sizeof *c);
    for (size_t i = 0; i < rows; ++i) {
        for (size_t j = 0; j < columns; ++j) {
            for (size_t k = 0; k < inner; ++k) {
                c[i * columns + j] += x[i * inner + k] * y[k * columns + j];
            }
        }
    }
    const double norm = norm_of(rows, columns, c);
    pool_end(&p);
    return norm;
}

/* W_O^h W_V^h and W_Q^h^T W_K^h, as a head has them, and the other ways to multiply. */
START_TEST(test_products_of_heads) {
    for (int i = 0; i < 2; ++i) {
        lnstab_model *m = model(dtypes[i]);
        const char *dtype = dtypes[i];
        const struct lnstab__attention *f = &m->sublayers[0].of.attention;
        for (size_t h = 0; h < 3; ++h) {
            const struct lnstab__kernels *k = m->kernels;
            const struct lnstab__weight q = {lnstab__at(k, f->w_q.weight.data, h * 4 * 12), 4, 12,
                                             12, 0};
            const struct lnstab__weight o = {lnstab__at(k, f->w_o.weight.data, h * 4), 12, 4, 12,
                                             0};
            const struct lnstab__weight v = {f->w_v.weight.data, 4, 12, 12, 0};
            struct lnstab__weight qt = q, ot = o, vt = v;
            struct pool p = {0};
            qt.transposed = ot.transposed = vt.transposed = 1;
            check(dtype, lnstab__weight_norm(m, o), norm_of(12, 4, dense(&p, m, o)));
            pool_end(&p);
            check(dtype, lnstab__product_norm(m, o, v), product_norm(m, o, v));
            check(dtype, lnstab__product_norm(m, qt, v), product_norm(m, qt, v));
            check(dtype, lnstab__product_norm(m, vt, ot), product_norm(m, vt, ot));
            check(dtype, lnstab__product_norm(m, q, vt), product_norm(m, q, vt));
            check(dtype, lnstab__product_norm(m, q, o), product_norm(m, q, o));
        }
        lnstab_model_destroy(m);
    }
}
END_TEST

/* More columns than a panel has, and both ways round. */
START_TEST(test_wide_products) {
    lnstab_model *m = model("float64");
    struct lnstab__weight w_1 = lnstab__weight_of(bench_tensor(m, "layer.1.ffn.w_1"));
    struct lnstab__weight w_2 = lnstab__weight_of(bench_tensor(m, "layer.1.ffn.w_2"));
    check("W_2 W_1", lnstab__product_norm(m, w_2, w_1), product_norm(m, w_2, w_1));
    w_1.transposed = w_2.transposed = 1;
    check("W_1^T W_2^T", lnstab__product_norm(m, w_1, w_2), product_norm(m, w_1, w_2));
    lnstab_model_destroy(m);
}
END_TEST

static void fill(lnstab_model *m, const char *name, double factor) {
    const struct lnstab_tensor *t = bench_tensor(m, name);
    double *x = t->held.data;
    for (size_t i = 0; i < lnstab__tensor_count(t); ++i) {
        x[i] = factor * ((double)(i * i % 17) - 8);
    }
}

START_TEST(test_any_scale) {
    lnstab_model *m = model("float64");
    const struct lnstab__weight a = lnstab__weight_of(bench_tensor(m, "layer.1.ffn.w_1"));
    const struct lnstab__weight b = lnstab__weight_of(bench_tensor(m, "layer.1.ffn.w_2"));
    fill(m, "layer.1.ffn.w_1", 1);
    fill(m, "layer.1.ffn.w_2", 1);
    const double norm = norm_of(90, 12, a.data), product = product_norm(m, b, a);
    static const int powers[] = {-1000, -664, 0, 664, 1000};
    for (size_t i = 0; i < 5; ++i) {
        fill(m, "layer.1.ffn.w_1", ldexp(1, powers[i]));
        fill(m, "layer.1.ffn.w_2", ldexp(1, -powers[i] / 2));
        check("scaled", lnstab__weight_norm(m, a), ldexp(norm, powers[i]));
        check("product", lnstab__product_norm(m, b, a), ldexp(product, powers[i] - powers[i] / 2));
    }
    fill(m, "layer.1.ffn.w_1", 0x1p-1074); /* what underflows is not lost */
    const struct lnstab__norm_bounds tiny = lnstab__weight_norm(m, a);
    ck_assert(tiny.lower <= ldexp(norm, -1074) && ldexp(norm, -1074) <= tiny.upper);
    fill(m, "layer.1.ffn.w_2", 0x1p-1000);
    const struct lnstab__norm_bounds gone = lnstab__product_norm(m, b, a);
    ck_assert(gone.lower == 0 && gone.upper > 0 && gone.upper < 1e-300);
    lnstab_model_destroy(m);
}
END_TEST

START_TEST(test_zero_and_what_is_not_finite) {
    lnstab_model *m = model("float64");
    const struct lnstab__weight a = lnstab__weight_of(bench_tensor(m, "layer.1.ffn.w_1"));
    const struct lnstab__weight b = lnstab__weight_of(bench_tensor(m, "layer.1.ffn.w_2"));
    fill(m, "layer.1.ffn.w_2", 1);
    fill(m, "layer.1.ffn.w_1", 0);
    const struct lnstab__norm_bounds zero = lnstab__weight_norm(m, a);
    const struct lnstab__norm_bounds product = lnstab__product_norm(m, b, a);
    ck_assert(zero.lower == 0 && zero.upper == 0 && product.lower == 0 && product.upper == 0);
    static const double bad[] = {(double)NAN, (double)INFINITY, -(double)INFINITY};
    for (int i = 0; i < 3; ++i) {
        ((double *)m->sublayers[1].of.ffn.w_1.weight.data)[89] = bad[i];
        const struct lnstab__norm_bounds one = lnstab__weight_norm(m, a);
        const struct lnstab__norm_bounds left = lnstab__product_norm(m, b, a);
        struct lnstab__weight at = a, bt = b;
        at.transposed = bt.transposed = 1;
        const struct lnstab__norm_bounds right = lnstab__product_norm(m, at, bt);
        ck_assert(isnan(one.lower) && isnan(one.upper) && isnan(left.lower) && isnan(left.upper));
        ck_assert(isnan(right.lower) && isnan(right.upper));
    }
    lnstab_model_destroy(m);
}
END_TEST

/* A product that cancels: entries of 1 that sum to rounding, which the bound has to allow for. */
START_TEST(test_a_product_that_cancels) {
    lnstab_model *m = model("float64");
    const struct lnstab__weight a = lnstab__weight_of(bench_tensor(m, "layer.1.ffn.w_1"));
    const struct lnstab__weight b = lnstab__weight_of(bench_tensor(m, "layer.1.ffn.w_2"));
    double *x = m->sublayers[1].of.ffn.w_1.weight.data, *y = m->sublayers[1].of.ffn.w_2.weight.data;
    for (size_t i = 0; i < 90; ++i) {
        for (size_t j = 0; j < 12; ++j) {
            x[i * 12 + j] = i < 45 ? 1.0 / 3 : -1.0 / 3;
            y[j * 90 + i] = 1 + (i == 0 ? 0x1p-52 : 0);
        }
    }
    const struct lnstab__norm_bounds c = lnstab__product_norm(m, b, a);
    const double norm = 12 * (1.0 / 3) * 0x1p-52;
    ck_assert_double_le(c.lower, norm);
    ck_assert_double_ge(c.upper, norm);
    ck_assert_double_le(c.upper, 1e-10);
    lnstab_model_destroy(m);
}
END_TEST

int main(void) {
    const TTest *const tests[] = {test_every_matrix_of_a_model,
                                  test_products_of_heads,
                                  test_wide_products,
                                  test_any_scale,
                                  test_zero_and_what_is_not_finite,
                                  test_a_product_that_cancels};
    return run_tests("weight_norm", tests, sizeof tests / sizeof *tests);
}
