/* math/norm_rows.inc.h: LayerNorm and RMSNorm on rows, against the oracle's fixture and, where that has no
 * row of the kind, against the formulas in long double. */

#include "support/main.h"
#include "unit/harness.h"
#include "unit/naive_norm.h"
#include "unit/norm_fixture.h"

static const struct lnstab__kernels *const types[] = {&lnstab__kernels_f32, &lnstab__kernels_f64,
                                                      &lnstab__kernels_bf16, &lnstab__kernels_f16};
static const struct lnstab__kernels *const f64 = &lnstab__kernels_f64;

enum { W = NORM_FIXTURE_WIDTH, TYPES = sizeof types / sizeof *types };

/* What the library, and what the formulas, make of one row. */
struct results {
    double y[W], dx[W], dgamma[W], dbias[W], jv[W];
};

static struct lnstab__norm_map map_of(const struct norm_case *c, const void *gamma,
                                      const void *bias) {
    return (struct lnstab__norm_map){.kind = c->rms ? LNSTAB__NORM_RMS : LNSTAB__NORM_LAYER,
                                     .width = c->d,
                                     .eps = c->eps,
                                     .scale = 1,
                                     .gamma = gamma,
                                     .bias = bias};
}

/* Runs the kernels of a type on a row of doubles. */
static void run_kernels(const struct lnstab__kernels *k, const struct norm_case *c,
                        struct results *r) {
    double x[W], gamma[W], bias[W], dy[W], v[W], out[W], dgamma[W] = {0}, dbias[W] = {0},
                                                         sums[2 * W];
    const size_t d = c->d;
    const ptrdiff_t ld = (ptrdiff_t)d;
    k->from_double(d, c->x, x);
    k->affine->from_double(d, c->gamma, gamma);
    k->affine->from_double(d, c->bias, bias);
    k->from_double(d, c->dy, dy);
    k->from_double(d, c->v, v);
    const struct lnstab__norm_map map = map_of(c, gamma, bias);
    k->norm_forward(&map, 1, x, ld, out, ld);
    k->to_double(d, out, r->y);
    k->norm_backward(&map, 1, x, ld, dy, ld, out, ld, sums);
    k->affine->add_doubles(d, sums, dgamma);
    k->affine->add_doubles(d, sums + d, dbias);
    k->to_double(d, out, r->dx);
    k->affine->to_double(d, dgamma, r->dgamma);
    k->affine->to_double(d, dbias, r->dbias);
    k->norm_jvp(&map, 1, x, ld, v, ld, out, ld);
    k->to_double(d, out, r->jv);
}

static void run_naive(const struct norm_case *c, struct results *r) {
    const struct naive_norm n = {c->rms, c->d, c->eps, 1, c->gamma, c->bias};
    naive_forward(&n, c->x, r->y);
    naive_project(&n, c->x, c->dy, r->dx, 1);
    memset(r->dgamma, 0, sizeof r->dgamma);
    naive_dgamma(&n, c->x, c->dy, r->dgamma);
    memcpy(r->dbias, c->dy, sizeof r->dbias);
    naive_project(&n, c->x, c->v, r->jv, 0);
}

/* One rounding to the type, which may be to a subnormal number or to infinity. */
static void assert_rounded(const struct lnstab__kernels *k, const char *name, size_t i, double got,
                           double wanted, double bound) {
    static const double largest[] = {FLT_MAX, DBL_MAX, 0xffp120, 65504},
                        least[] = {0x1p-149, 0, 0x1p-133, 0x1p-24};
    if (isinf(got)) {
        require(fabs(wanted) + bound > largest[k->dtype - 1], "%s [%zu] is %g, not %.17g", name, i,
                got, wanted);
        return;
    }
    assert_near(name, i, got, wanted,
                bound + (k == f64 ? 0 : unit_roundoff(k)) * fabs(wanted) + least[k->dtype - 1]);
}

/* 1e-12 of the size a row's entries can have, plus one rounding of each to the type: |z| <= sqrt(d),
 * ||J|| <= max|gamma| rstd. The place of the mean does not matter. */
static void compare(const struct lnstab__kernels *k, const struct norm_case *c,
                    const struct results *got, const struct results *wanted) {
    const double root = sqrt((double)c->d);
    const double gamma = largest_of(c->d, c->gamma), rstd = c->norms[0];
    const double dy = largest_of(c->d, c->dy), v = largest_of(c->d, c->v);
    for (size_t i = 0; i < c->d; ++i) {
        const double y = gamma * 1e-12 * root + 1e-12 * largest_of(c->d, c->bias);
        assert_rounded(k, c->name, i, got->y[i], wanted->y[i], y);
        assert_rounded(k, c->name, i, got->dx[i], wanted->dx[i], 1e-12 * gamma * rstd * dy * root);
        assert_rounded(k->affine, c->name, i, got->dgamma[i], wanted->dgamma[i], 1e-12 * root * dy);
        assert_rounded(k, c->name, i, got->jv[i], wanted->jv[i], 1e-12 * gamma * rstd * v * root);
        assert_near(c->name, i, got->dbias[i], wanted->dbias[i], 0);
    }
}

static void check_float64(const struct norm_case *c) {
    struct results got, wanted;
    memcpy(wanted.y, c->y, sizeof wanted.y);
    memcpy(wanted.dx, c->dx, sizeof wanted.dx);
    memcpy(wanted.dgamma, c->dgamma, sizeof wanted.dgamma);
    memcpy(wanted.dbias, c->dy, sizeof wanted.dbias);
    memcpy(wanted.jv, c->jv, sizeof wanted.jv);
    run_kernels(f64, c, &got);
    compare(f64, c, &got, &wanted);
    run_naive(c, &got);
    compare(f64, c, &got, &wanted);
}

START_TEST(test_float64_and_formulas_agree_with_the_oracle) {
    for_each_norm_case(check_float64);
}
END_TEST

/* To the type and back; 0 if a number is beyond it. */
static int round_to(const struct lnstab__kernels *k, size_t n, double *x) {
    double held[W];
    int finite = 1;
    k->from_double(n, x, held);
    k->to_double(n, held, x);
    for (size_t i = 0; i < n; ++i) {
        finite &= isfinite(x[i]) != 0;
    }
    return finite;
}

static const struct lnstab__kernels *narrow;
static int narrow_cases;

/* The inputs rounded first: what is left is the rounding of each result. */
static void check_narrow(const struct norm_case *c) {
    static struct norm_case r;
    struct results got, wanted;
    r = *c;
    const int finite = round_to(narrow, c->d, r.x) & round_to(narrow->affine, c->d, r.gamma) &
                       round_to(narrow->affine, c->d, r.bias) & round_to(narrow, c->d, r.dy) &
                       round_to(narrow, c->d, r.v);
    const struct naive_norm n = {c->rms, c->d, c->eps, 1, r.gamma, r.bias};
    r.norms[0] = (double)(1 / naive_measure(&n, r.x).s);
    if (finite && isfinite(r.norms[0])) {
        run_kernels(narrow, &r, &got);
        run_naive(&r, &wanted);
        compare(narrow, &r, &got, &wanted);
        narrow_cases++;
    }
}

START_TEST(test_narrow_types_are_the_rounding) {
    narrow = types[_i];
    for_each_norm_case(check_narrow);
    ck_assert_int_ge(narrow_cases, 250);
}
END_TEST

/* ---- whole arrays ---- */

struct array {
    struct pool pool;
    const struct lnstab__kernels *k;
    size_t rows, d;
    ptrdiff_t ld; /* |ld| >= d; negative: the first row is the last in memory */
    void *memory;
    void *first;
};

static struct array array_draw(const struct lnstab__kernels *k, size_t rows, size_t d, ptrdiff_t ld,
                               uint32_t stream) {
    struct array a = {.k = k, .rows = rows, .d = d, .ld = ld};
    const size_t step = (size_t)(ld < 0 ? -ld : ld);
    a.memory = pool_draw(&a.pool, k, stream, rows * step, 1);
    a.first = lnstab__at(k, a.memory, ld < 0 ? (rows - 1) * step : 0);
    return a;
}

static void *array_row(const struct array *a, size_t i) {
    return (unsigned char *)a->first + (ptrdiff_t)i * a->ld * (ptrdiff_t)a->k->size;
}

static size_t array_bytes(const struct array *a) {
    return a->rows * (size_t)(a->ld < 0 ? -a->ld : a->ld) * a->k->size;
}

/* Row by row, each alone and dense, the many rows at once must give the same bits, and must leave what
 * lies between the rows alone. */
static void check_rows(const struct lnstab__kernels *k, const struct lnstab__norm_map *map,
                       size_t rows, ptrdiff_t ldx, ptrdiff_t ldt, ptrdiff_t ldo) {
    const size_t d = map->width, bytes = d * k->size;
    const ptrdiff_t ld = (ptrdiff_t)d;
    struct array x = array_draw(k, rows, d, ldx, 1), t = array_draw(k, rows, d, ldt, 2);
    struct array out[3], old[3];
    double one[W];
    for (uint32_t i = 0; i < 3; ++i) {
        out[i] = array_draw(k, rows, d, ldo, 3 + i);
        old[i] = array_draw(k, rows, d, ldo, 3 + i);
    }
    k->norm_forward(map, rows, x.first, ldx, out[0].first, ldo);
    k->norm_backward(map, rows, x.first, ldx, t.first, ldt, out[1].first, ldo, NULL);
    k->norm_jvp(map, rows, x.first, ldx, t.first, ldt, out[2].first, ldo);
    for (size_t i = 0; i < rows; ++i) {
        k->norm_forward(map, 1, array_row(&x, i), ld, one, ld);
        ck_assert_mem_eq(array_row(&out[0], i), one, bytes);
        k->norm_backward(map, 1, array_row(&x, i), ld, array_row(&t, i), ld, one, ld, NULL);
        ck_assert_mem_eq(array_row(&out[1], i), one, bytes);
        k->norm_jvp(map, 1, array_row(&x, i), ld, array_row(&t, i), ld, one, ld);
        ck_assert_mem_eq(array_row(&out[2], i), one, bytes);
    }
    for (int i = 0; i < 3; ++i) {
        for (size_t row = 0; row < rows; ++row) { /* put back what may have changed */
            memcpy(array_row(&out[i], row), array_row(&old[i], row), bytes);
        }
        ck_assert_mem_eq(out[i].memory, old[i].memory, array_bytes(&out[i]));
        pool_end(&out[i].pool);
        pool_end(&old[i].pool);
    }
    pool_end(&x.pool);
    pool_end(&t.pool);
}

static const enum lnstab__norm_kind kinds[] = {LNSTAB__NORM_NONE, LNSTAB__NORM_LAYER,
                                               LNSTAB__NORM_RMS};

START_TEST(test_rows_and_strides) {
    const struct lnstab__kernels *k = types[_i];
    for (size_t d = 1; d <= 65; d = d * 3 + 2) {
        struct pool pool = {.count = 0};
        const ptrdiff_t ld = (ptrdiff_t)d;
        for (int kind = 0; kind < 3; ++kind) {
            const struct lnstab__norm_map map = {.kind = kinds[kind],
                                                 .width = d,
                                                 .eps = 1e-5,
                                                 .scale = 0.7,
                                                 .gamma = pool_draw(&pool, k->affine, 8, d, 1),
                                                 .bias = pool_draw(&pool, k->affine, 9, d, 1)};
            for (size_t rows = 1; rows <= 17; rows += 4) {
                check_rows(k, &map, rows, ld, ld, ld);
                check_rows(k, &map, rows, ld + 3, ld + 1, ld + 2);
                check_rows(k, &map, rows, -ld, -ld - 5, -ld - 1);
                check_rows(k, &map, rows, ld + 1, -ld, ld);
            }
        }
        pool_end(&pool);
    }
}
END_TEST

/* Row stride 0 and strides below the width are allowed for what is only read. */
START_TEST(test_rows_that_overlap_when_read) {
    double x[12], y[2][8], v[2][8];
    lnstab__draw_normal((struct lnstab__stream){1, 0, 1}, 0, 12, x);
    const struct lnstab__norm_map map = {.kind = LNSTAB__NORM_LAYER, .width = 8, .scale = 1};
    f64->norm_forward(&map, 2, x, 0, y, 8);
    ck_assert_mem_eq(y[0], y[1], sizeof y[0]);
    f64->norm_forward(&map, 2, x, 3, y, 8);
    f64->norm_forward(&map, 1, x + 3, 8, v, 8);
    ck_assert_mem_eq(y[1], v[0], sizeof y[1]);
}
END_TEST

/* Odd and large numbers of rows: each row adds to dgamma and dbias, the last ones too, on top of what is
 * there. Sums of doubles, rounded once: u of the result and rows u of the terms. */
START_TEST(test_affine_gradients_count_every_row) {
    static const size_t counts[] = {1, 2, 3, 5, 7, 63, 64, 65, 129, 257};
    const struct lnstab__kernels *k = types[_i % TYPES], *affine = k->affine;
    enum { D = 5 };
    for (size_t c = 0; c < sizeof counts / sizeof *counts; ++c) {
        struct pool pool = {.count = 0};
        const size_t rows = counts[c];
        void *x = pool_draw(&pool, k, 1, rows * D, 1), *dy = pool_draw(&pool, k, 2, rows * D, 1);
        const double *xs = pool_doubles(&pool, k, x, rows * D),
                     *dys = pool_doubles(&pool, k, dy, rows * D);
        double sums[2 * D], dgamma[D], dbias[D], start[D] = {1, -2, 0, 0.5, 4}, got[2][D],
                                                 want[2][D];
        const struct lnstab__norm_map map = {
            .kind = kinds[1 + _i / TYPES], .width = D, .eps = 1e-5, .scale = 1.5};
        const struct naive_norm n = {_i / TYPES, D, 1e-5, 1.5, NULL, NULL};
        affine->from_double(D, start, dgamma);
        affine->from_double(D, start, dbias);
        k->norm_backward(&map, rows, x, D, dy, D, NULL, 0, sums);
        affine->add_doubles(D, sums, dgamma);
        affine->add_doubles(D, sums + D, dbias);
        affine->to_double(D, dgamma, got[0]);
        affine->to_double(D, dbias, got[1]);
        memcpy(want[0], start, sizeof start);
        memcpy(want[1], start, sizeof start);
        for (size_t i = 0; i < rows; ++i) {
            naive_dgamma(&n, xs + i * D, dys + i * D, want[0]);
            for (size_t j = 0; j < D; ++j) {
                want[1][j] += 1.5 * dys[i * D + j];
            }
        }
        for (size_t j = 0; j < D; ++j) {
            const double bound = unit_roundoff(affine) * 20 + (double)rows * (double)rows * 1e-15;
            assert_near("dgamma", j, got[0][j], want[0][j],
                        bound + unit_roundoff(affine) * fabs(want[0][j]));
            assert_near("dbias", j, got[1][j], want[1][j],
                        bound + unit_roundoff(affine) * fabs(want[1][j]));
        }
        pool_end(&pool);
    }
}
END_TEST

START_TEST(test_results_may_be_left_out) {
    double x[10], dy[10], dx[10], other_dx[10], sums[10], other[10];
    lnstab__draw_normal((struct lnstab__stream){1, 0, 1}, 0, 10, x);
    lnstab__draw_normal((struct lnstab__stream){1, 0, 2}, 0, 10, dy);
    const struct lnstab__norm_map map = {
        .kind = LNSTAB__NORM_LAYER, .width = 5, .eps = 1e-5, .scale = 1};
    f64->norm_backward(&map, 2, x, 5, dy, 5, dx, 5, sums);
    f64->norm_backward(&map, 2, x, 5, dy, 5, other_dx, 5, NULL);
    ck_assert_mem_eq(dx, other_dx, sizeof dx);
    f64->norm_backward(&map, 2, x, 5, dy, 5, NULL, 5, other);
    ck_assert_mem_eq(sums, other, sizeof other);
}
END_TEST

START_TEST(test_in_place) {
    const struct lnstab__kernels *k = types[_i];
    enum { D = 13, ROWS = 3, N = D * ROWS };
    struct pool pool = {.count = 0};
    const size_t bytes = N * k->size;
    void *x = pool_draw(&pool, k, 1, N, 1), *t = pool_draw(&pool, k, 2, N, 1);
    void *apart = pool_array(&pool, k, N), *over = pool_array(&pool, k, N);
    double sums[2 * D];
    for (int kind = 0; kind < 3; ++kind) {
        const struct lnstab__norm_map map = {.kind = kinds[kind],
                                             .width = D,
                                             .eps = 1e-5,
                                             .scale = 1.1,
                                             .gamma = pool_draw(&pool, k->affine, 3, D, 1)};
        k->norm_forward(&map, ROWS, x, D, apart, D);
        k->norm_forward(&map, ROWS, memcpy(over, x, bytes), D, over, D);
        ck_assert_mem_eq(apart, over, bytes);
        k->norm_backward(&map, ROWS, x, D, t, D, apart, D, sums);
        k->norm_backward(&map, ROWS, memcpy(over, x, bytes), D, t, D, over, D, sums);
        ck_assert_mem_eq(apart, over, bytes);
        k->norm_backward(&map, ROWS, x, D, memcpy(over, t, bytes), D, over, D, sums);
        ck_assert_mem_eq(apart, over, bytes);
        k->norm_jvp(&map, ROWS, x, D, t, D, apart, D);
        k->norm_jvp(&map, ROWS, x, D, memcpy(over, t, bytes), D, over, D);
        ck_assert_mem_eq(apart, over, bytes);
        k->norm_jvp(&map, ROWS, memcpy(over, x, bytes), D, t, D, over, D);
        ck_assert_mem_eq(apart, over, bytes);
    }
    pool_end(&pool);
}
END_TEST

/* With eps 0 a norm does not see the scale of its row: x times 2^p gives the same y, and dx times 2^-p.
 * Squares leave the range of double from p = 512 on; 1e200 and 1e-200 are p = +-664. */
START_TEST(test_rows_whose_squares_leave_the_range) {
    static const int powers[] = {-1000, -664, -520, -400, 400, 520, 664, 1000};
    static const double gamma[7] = {1, -2, 0.5, 3, 1, 1, 0.25};
    enum { D = 7 };
    double x[D], t[D], y[2][D], dx[2][D], jv[2][D];
    const struct lnstab__norm_map map = {
        .kind = kinds[1 + _i], .width = D, .scale = 1, .gamma = gamma};
    lnstab__draw_normal((struct lnstab__stream){4, 0, 1}, 0, D, x);
    lnstab__draw_normal((struct lnstab__stream){4, 0, 2}, 0, D, t);
    f64->norm_forward(&map, 1, x, D, y[0], D);
    f64->norm_backward(&map, 1, x, D, t, D, dx[0], D, NULL);
    f64->norm_jvp(&map, 1, x, D, t, D, jv[0], D);
    for (size_t p = 0; p < sizeof powers / sizeof *powers; ++p) {
        double scaled[D];
        for (int i = 0; i < D; ++i) {
            scaled[i] = ldexp(x[i], powers[p]);
        }
        f64->norm_forward(&map, 1, scaled, D, y[1], D);
        f64->norm_backward(&map, 1, scaled, D, t, D, dx[1], D, NULL);
        f64->norm_jvp(&map, 1, scaled, D, t, D, jv[1], D);
        for (size_t i = 0; i < D; ++i) {
            assert_near("y", i, y[1][i], y[0][i], 1e-14 * 10);
            assert_near("dx", i, ldexp(dx[1][i], powers[p]), dx[0][i], 1e-14 * 20);
            assert_near("jv", i, ldexp(jv[1][i], powers[p]), jv[0][i], 1e-14 * 20);
        }
    }
}
END_TEST

/* The ends of the range: entries whose power of two, or its inverse, is no number any more. */
START_TEST(test_rows_at_the_ends_of_the_range) {
    const enum lnstab__norm_kind kind = _i ? LNSTAB__NORM_RMS : LNSTAB__NORM_LAYER;
    const struct lnstab__kernels *k = &lnstab__kernels_f64;
    const struct lnstab__norm_map small = {.kind = kind, .width = 4, .eps = 1e-5, .scale = 1};
    const struct lnstab__norm_map large = {.kind = kind, .width = 2, .eps = 1e-5, .scale = 1};
    const double tiny[4] = {1e-310, -1e-310, 3e-310, 0}, huge[2] = {1.7e308, -1.7e308};
    const double up[4] = {1, -2, 3, 5};
    const double mean = kind == LNSTAB__NORM_LAYER ? 7.5e-311 : 0;
    const double mean_up = kind == LNSTAB__NORM_LAYER ? 1.75 : 0;
    double y[4], dx[4], jv[4];
    k->norm_forward(&small, 1, tiny, 4, y, 4);
    k->norm_backward(&small, 1, tiny, 4, up, 4, dx, 4, NULL);
    k->norm_jvp(&small, 1, tiny, 4, up, 4, jv, 4);
    for (int i = 0; i < 4; ++i) {
        ck_assert_double_eq_tol(y[i], (tiny[i] - mean) / sqrt(1e-5), 1e-320);
        ck_assert_double_eq_tol(dx[i], (up[i] - mean_up) / sqrt(1e-5), 1e-11);
        ck_assert_double_eq_tol(jv[i], (up[i] - mean_up) / sqrt(1e-5), 1e-11);
    }
    k->norm_forward(&large, 1, huge, 2, y, 2);
    k->norm_backward(&large, 1, huge, 2, up, 2, dx, 2, NULL);
    for (int i = 0; i < 2; ++i) {
        ck_assert_double_eq_tol(y[i], i ? -1 : 1, 1e-15);
        ck_assert(isfinite(dx[i]));
    }
}
END_TEST

/* As cases.md C2: the mean of equal entries is that entry, exactly, and so y is the bias. */
START_TEST(test_constant_rows) {
    static const double values[] = {0.1, 1234.0, 1e5 + 0.1, -1e-3, 3e7, 1.0 / 3, 1e200, -7e-200};
    static const size_t widths[] = {1, 2, 3, 7, 49, 256};
    const struct lnstab__kernels *k = types[_i];
    for (size_t c = 0; c < 8 * 6; ++c) {
        const size_t d = widths[c % 6];
        double constant[W], bias[W], dy[W], x[W], b[W], up[W], out[W], y[W], dx[W];
        double mean = 0;
        for (size_t i = 0; i < d; ++i) {
            constant[i] = values[c / 6];
            bias[i] = (double)i;
            dy[i] = (double)i; /* as C2 */
            mean += dy[i] / (double)d;
        }
        if (!round_to(k, d, constant)) {
            continue;
        }
        k->from_double(d, constant, x);
        k->affine->from_double(d, bias, b);
        k->from_double(d, dy, up);
        const struct lnstab__norm_map map = {
            .kind = LNSTAB__NORM_LAYER, .width = d, .eps = 1e-5, .scale = 1, .bias = b};
        k->norm_forward(&map, 1, x, (ptrdiff_t)d, out, (ptrdiff_t)d);
        k->to_double(d, out, y);
        k->norm_backward(&map, 1, x, (ptrdiff_t)d, up, (ptrdiff_t)d, out, (ptrdiff_t)d, NULL);
        k->to_double(d, out, dx);
        for (size_t i = 0; i < d; ++i) {
            assert_near("y of a constant", i, y[i], bias[i], 0);
            /* 316.227766 = 1/sqrt(1e-5); a few roundings of dy, which is below 256, times it */
            assert_near("dx of a constant", i, dx[i], (dy[i] - mean) / sqrt(1e-5),
                        4 * unit_roundoff(k) * 256 / sqrt(1e-5));
        }
    }
}
END_TEST

START_TEST(test_null_gamma_and_bias_are_one_and_zero) {
    const struct lnstab__kernels *k = types[_i];
    enum { D = 9 };
    struct pool pool = {.count = 0};
    double ones[D], zeros[D] = {0};
    for (int i = 0; i < D; ++i) {
        ones[i] = 1;
    }
    void *gamma = pool_array(&pool, k->affine, D), *bias = pool_array(&pool, k->affine, D);
    k->affine->from_double(D, ones, gamma);
    k->affine->from_double(D, zeros, bias);
    void *x = pool_draw(&pool, k, 1, D, 1), *t = pool_draw(&pool, k, 2, D, 1);
    void *a = pool_array(&pool, k, D), *b = pool_array(&pool, k, D);
    struct lnstab__norm_map plain = {
        .kind = LNSTAB__NORM_LAYER, .width = D, .eps = 0.1, .scale = 1};
    struct lnstab__norm_map given = plain;
    given.gamma = gamma;
    given.bias = bias;
    k->norm_forward(&plain, 1, x, D, a, D);
    k->norm_forward(&given, 1, x, D, b, D);
    ck_assert_mem_eq(a, b, D * k->size);
    k->norm_backward(&plain, 1, x, D, t, D, a, D, NULL);
    k->norm_backward(&given, 1, x, D, t, D, b, D, NULL);
    ck_assert_mem_eq(a, b, D * k->size);
    pool_end(&pool);
}
END_TEST

/* A NaN or infinity spoils its own row, all of it, and no other. */
START_TEST(test_bad_rows_stay_alone) {
    static const double bad[] = {NAN, INFINITY, -INFINITY};
    const struct lnstab__kernels *k = types[_i];
    enum { D = 6 };
    for (int b = 0; b < 3; ++b) {
        for (int kind = 1; kind < 3; ++kind) {
            double values[3 * D], x[3 * D], y[3 * D], out[3 * D];
            for (int i = 0; i < 3 * D; ++i) {
                values[i] = i * i % 11;
            }
            values[D + 2] = bad[b];
            k->from_double(3 * D, values, x);
            const struct lnstab__norm_map map = {
                .kind = kinds[kind], .width = D, .eps = 1e-5, .scale = 1};
            k->norm_forward(&map, 3, x, D, y, D);
            k->to_double(3 * D, y, out);
            ck_assert(isnan(out[D + 2]));
            for (int i = 0; i < D; ++i) {
                ck_assert(isfinite(out[i]) && isfinite(out[2 * D + i]));
            }
        }
    }
}
END_TEST

START_TEST(test_no_norm_scales) {
    const struct lnstab__norm_map map = {.kind = LNSTAB__NORM_NONE, .width = 3, .scale = -2};
    const double x[] = {1, 2, 3}, t[] = {5, 6, 7};
    double y[3], dx[3], jv[3], sums[6];
    f64->norm_forward(&map, 1, x, 3, y, 3);
    f64->norm_backward(&map, 1, x, 3, t, 3, dx, 3, sums);
    f64->norm_jvp(&map, 1, x, 3, t, 3, jv, 3);
    for (int i = 0; i < 3; ++i) {
        ck_assert_double_eq(y[i], -2 * x[i]);
        ck_assert_double_eq(dx[i], -2 * t[i]);
        ck_assert_double_eq(jv[i], -2 * t[i]);
        ck_assert(sums[i] == 0 && sums[3 + i] == 0); /* it has no gamma and no bias */
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("norm_rows");
    TCase *cases = tcase_create("norm_rows");
    tcase_set_timeout(cases, 60);
    tcase_add_test(cases, test_float64_and_formulas_agree_with_the_oracle);
    tcase_add_loop_test(cases, test_narrow_types_are_the_rounding, 0, TYPES);
    tcase_add_loop_test(cases, test_rows_and_strides, 0, TYPES);
    tcase_add_test(cases, test_rows_that_overlap_when_read);
    tcase_add_loop_test(cases, test_affine_gradients_count_every_row, 0, 2 * TYPES);
    tcase_add_test(cases, test_results_may_be_left_out);
    tcase_add_loop_test(cases, test_in_place, 0, TYPES);
    tcase_add_loop_test(cases, test_rows_whose_squares_leave_the_range, 0, 2);
    tcase_add_loop_test(cases, test_rows_at_the_ends_of_the_range, 0, 2);
    tcase_add_loop_test(cases, test_constant_rows, 0, TYPES);
    tcase_add_loop_test(cases, test_null_gamma_and_bias_are_one_and_zero, 0, TYPES);
    tcase_add_loop_test(cases, test_bad_rows_stay_alone, 0, TYPES);
    tcase_add_test(cases, test_no_norm_scales);
    suite_add_tcase(suite, cases);
    return run_suite(suite);
}
