#ifndef LNSTAB_TEST_UNIT_HARNESS_H
#define LNSTAB_TEST_UNIT_HARNESS_H

#include <check.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "math/kernels.h"
#include "math/philox.h"
#include "nn/run.h"

/* What the tests of internals share: arrays that end together, comparisons that a NaN fails, and the
 * derivative of any function of arrays by central differences. */

/* Half the distance from 1 to the next number: the relative error of one rounding. */
static inline double unit_roundoff(const struct lnstab__kernels *k) {
    static const int digits[] = {24, 53, 8, 11};
    return ldexp(1.0, -digits[k->dtype - 1]);
}

/* As ck_assert_msg, without the note to the parent process that Check makes of every assertion: for
 * loops over entries. */
#define require(condition, ...)                                                                    \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            ck_abort_msg(__VA_ARGS__);                                                             \
        }                                                                                          \
    } while (0)

static inline void assert_near(const char *what, size_t at, double got, double wanted,
                               double bound) {
    require(fabs(got - wanted) <= bound, "%s [%zu] is %.17g, not %.17g (bound %.3g)", what, at, got,
            wanted, bound);
}

/* ---- arrays ---- */

struct pool {
    void *held[128];
    int count;
};

/* Zeroed; never of size 0. */
static inline void *pool_take(struct pool *p, size_t bytes) {
    void *x = calloc(1, bytes + 1);
    ck_assert_ptr_nonnull(x);
    ck_assert_int_lt(p->count, (int)(sizeof p->held / sizeof *p->held));
    return p->held[p->count++] = x;
}

static inline void *pool_array(struct pool *p, const struct lnstab__kernels *k, size_t n) {
    return pool_take(p, n * k->size);
}

/* The same of NaN. */
static inline void *pool_nan(struct pool *p, const struct lnstab__kernels *k, size_t n) {
    return memset(pool_array(p, k, n), 0xff, n * k->size);
}

/* Standard normal numbers times amplitude, of a stream that no model draws from. */
static inline double *pool_normals(struct pool *p, uint32_t stream, size_t n, double amplitude) {
    double *x = pool_take(p, n * sizeof *x);
    lnstab__draw_normal((struct lnstab__stream){20201, 0, stream}, 0, n, x);
    for (size_t i = 0; i < n; ++i) {
        x[i] *= amplitude;
    }
    return x;
}

/* The same in the kernels' type; a float32 array then holds the numbers rounded. */
static inline void *pool_draw(struct pool *p, const struct lnstab__kernels *k, uint32_t stream,
                              size_t n, double amplitude) {
    double *x = pool_normals(p, stream, n, amplitude);
    void *y = pool_array(p, k, n);
    k->from_double(n, x, y);
    return y;
}

static inline void *pool_copy(struct pool *p, const void *x, size_t bytes) {
    return memcpy(pool_take(p, bytes), x, bytes);
}

/* A copy in double, of any type. */
static inline double *pool_doubles(struct pool *p, const struct lnstab__kernels *k, const void *x,
                                   size_t n) {
    double *y = pool_take(p, n * sizeof *y);
    k->to_double(n, x, y);
    return y;
}

static inline void pool_end(struct pool *p) {
    while (p->count > 0) {
        free(p->held[--p->count]);
    }
}

/* ---- sums ---- */

static inline double dot(size_t n, const double *a, const double *b) {
    long double sum = 0;
    for (size_t i = 0; i < n; ++i) {
        sum += (long double)a[i] * (long double)b[i];
    }
    return (double)sum;
}

/* The sum of |a_i b_i|: what the rounding errors of a product are measured by. */
static inline double absolute_dot(size_t n, const double *a, const double *b) {
    double sum = 0;
    for (size_t i = 0; i < n; ++i) {
        sum += fabs(a[i] * b[i]);
    }
    return sum;
}

/* ---- a pass on rows of float64 ---- */

struct bench {
    struct pool pool;
    struct lnstab__workspace work;
    struct lnstab__run run;
};

/* A workspace for batch x tokens rows, filled with NaN: nothing may read what it did not write. */
static inline void bench_start(struct bench *b, const struct lnstab__kernels *k, size_t batch,
                               size_t tokens, size_t width, size_t ffn_width, size_t heads,
                               size_t vocab) {
    const size_t rows = batch * tokens, widest = width > ffn_width ? width : ffn_width;
    memset(b, 0, sizeof *b);
    struct lnstab__workspace *w = &b->work;
    void **const of_width[] = {&w->stream[0], &w->stream[1], &w->sum, &w->f_out,
                               &w->branch,    &w->f_in,      &w->q,   &w->q_hat,
                               &w->k,         &w->k_hat,     &w->v,   &w->heads};
    void **const of_ffn[] = {&w->hidden, &w->up};
    void **const square[] = {&w->weights, &w->scores, &w->capped};
    for (size_t i = 0; i < sizeof of_width / sizeof *of_width; ++i) {
        *of_width[i] = pool_nan(&b->pool, k, rows * width);
    }
    for (size_t i = 0; i < sizeof of_ffn / sizeof *of_ffn; ++i) {
        *of_ffn[i] = pool_nan(&b->pool, k, rows * ffn_width);
    }
    for (size_t i = 0; i < sizeof square / sizeof *square; ++i) {
        *square[i] = pool_nan(&b->pool, k, batch * heads * tokens * tokens);
    }
    w->logits = pool_nan(&b->pool, k, rows * vocab);
    w->column_count = widest;
    w->columns = pool_take(&b->pool, 2 * widest * sizeof(double));
    b->run = (struct lnstab__run){.kernels = k,
                                  .work = &b->work,
                                  .batch = batch,
                                  .tokens = tokens,
                                  .rows = rows,
                                  .record = 1};
}

/* ---- derivatives ---- */

/* value = <u, out> after call(context). */
struct probe {
    void (*call)(void *context);
    void *context;
    const double *out, *u;
    size_t n;
};

static inline double probe_value(const struct probe *p) {
    p->call(p->context);
    return dot(p->n, p->u, p->out);
}

/* The derivative of value by *x, from values at four neighbours. With h = 2^-10 the cut of the series is
 * h^4 f'''''/30 = 3e-14 f''''', the rounding errors of the values grow by 1.5/h = 1500. */
static inline double probe_slope(const struct probe *p, double *x) {
    const double h = 0x1p-10, centre = *x;
    double value[5];
    for (int i = -2; i <= 2; ++i) {
        *x = centre + i * h;
        value[i + 2] = i == 0 ? 0 : probe_value(p);
    }
    *x = centre;
    return (8 * (value[3] - value[1]) - (value[4] - value[0])) / (12 * h);
}

/* gradient[0..n-1] against the derivatives by x. 1e-9 of the absolute sum of value: the rounding errors
 * of a sum of some hundred products are below 1e-14 of it, times 1500, and fifth derivatives are
 * below 1e4 times it for the smooth functions at hand. */
static inline void probe_check(const struct probe *p, const char *what, double *x,
                               const double *gradient, size_t n) {
    p->call(p->context);
    const double bound = 1e-9 * absolute_dot(p->n, p->u, p->out);
    for (size_t i = 0; i < n; ++i) {
        assert_near(what, i, gradient[i], probe_slope(p, &x[i]), bound);
    }
}

/* <u, J v> = <u J, v>, to 1e-12 of the sum of the absolute values of what is summed. */
static inline void assert_adjoint(const char *what, size_t n_out, const double *u, const double *jv,
                                  size_t n_in, const double *uj, const double *v) {
    const double scale = absolute_dot(n_out, u, jv) + absolute_dot(n_in, uj, v);
    ck_assert_double_gt(scale, 0);
    assert_near(what, 0, dot(n_out, u, jv), dot(n_in, uj, v), 1e-12 * scale);
}

/* Is every byte of x[0..bytes-1] still this one? For floats use 0x01: the number that it makes is so
 * small that anything added to it shows. */
static inline int bytes_are(const void *x, size_t bytes, unsigned char byte) {
    for (size_t i = 0; i < bytes; ++i) {
        if (((const unsigned char *)x)[i] != byte) {
            return 0;
        }
    }
    return 1;
}

#endif
