#include "analysis/weight_norm.h"

#include <math.h>

#include "math/blas.h"

enum { PANEL = LNSTAB__KRYLOV_PANEL };

struct lnstab__weight lnstab__weight_of(const struct lnstab_tensor *t) {
    const size_t columns = (size_t)*t->axis[t->rank - 1];
    return (struct lnstab__weight){.data = t->held.data,
                                   .rows = lnstab__tensor_count(t) / columns,
                                   .columns = columns,
                                   .stride = columns};
}

/* A matrix in units of a power of two that bring its largest entry to 1/2..1. */
struct scaled {
    const struct lnstab__kernels *kernels;
    struct lnstab__weight w;
    int exponent;
    int is_finite;
    double square; /* at least ||A||_F^2 in the unit */
};

static const void *row_of(const struct scaled *a, size_t row) {
    return lnstab__at_const(a->kernels, a->w.data, row * a->w.stride);
}

static struct scaled scaled(const lnstab_model *m, struct lnstab__weight w) {
    struct scaled a = {.kernels = m->kernels, .w = w};
    struct lnstab__health health = {0};
    for (size_t i = 0; i < w.rows; ++i) {
        a.kernels->health(w.columns, row_of(&a, i), &health);
    }
    frexp(health.largest, &a.exponent);
    a.exponent = a.exponent < -1000 ? -1000 : a.exponent > 1000 ? 1000 : a.exponent;
    a.is_finite = health.nonfinite == 0;
    for (size_t i = 0; i < w.rows; ++i) {
        a.square += a.kernels->scaled_square(w.columns, ldexp(1, -a.exponent), row_of(&a, i));
    }
    a.square *= 1.01;
    return a;
}

/* The part of a matrix as stored, dense, in its unit. */
static void copy_part(const struct scaled *a, size_t row, size_t rows, size_t column,
                      size_t columns, double *out) {
    const double factor = ldexp(1, -a->exponent);
    for (size_t i = 0; i < rows; ++i) {
        a->kernels->to_double(columns, lnstab__at_const(a->kernels, row_of(a, row + i), column),
                              out + i * columns);
    }
    for (size_t i = 0; i < rows * columns; ++i) {
        out[i] *= factor;
    }
}

/* How columns of op(A) are held: as they are, or as rows. */
struct part {
    size_t stride;
    int transposed;
};

static struct part copy_columns(const struct scaled *a, size_t first, size_t count, double *out) {
    if (a->w.transposed) {
        copy_part(a, first, count, 0, a->w.columns, out);
        return (struct part){a->w.columns, 1};
    }
    copy_part(a, 0, a->w.rows, first, count, out);
    return (struct part){count, 0};
}

static size_t rows_of(struct lnstab__weight w) {
    return w.transposed ? w.columns : w.rows;
}

static size_t columns_of(struct lnstab__weight w) {
    return w.transposed ? w.rows : w.columns;
}

static struct lnstab__weight transpose(struct lnstab__weight w) {
    w.transposed = !w.transposed;
    return w;
}

/* c = op(A) op(B^T)^T: both are read by columns. */
static void multiply(const struct lnstab__krylov *room, const struct scaled *a,
                     const struct scaled *b_transposed, double *c) {
    const size_t inner = columns_of(a->w), m = rows_of(a->w), n = rows_of(b_transposed->w);
    for (size_t first = 0; first < inner; first += PANEL) {
        const size_t count = inner - first < PANEL ? inner - first : PANEL;
        const struct part left = copy_columns(a, first, count, room->panel[0]);
        const struct part right = copy_columns(b_transposed, first, count, room->panel[1]);
        lnstab__dgemm(left.transposed, !right.transposed, m, n, count, 1, room->panel[0],
                      left.stride, room->panel[1], right.stride, first > 0, c, n);
    }
}

static const struct lnstab__norm_bounds unknown = {NAN, NAN};

/* A bound that underflows stays one. */
static struct lnstab__norm_bounds in_unit(struct lnstab__norm_bounds b, int exponent) {
    const double lower = ldexp(b.lower, exponent), upper = ldexp(b.upper, exponent);
    return (struct lnstab__norm_bounds){lower < 0x1p-1022 ? 0 : lower,
                                        b.upper > 0 ? fmax(upper, 0x1p-1022) : 0};
}

struct lnstab__norm_bounds lnstab__weight_norm(const lnstab_model *m, struct lnstab__weight w) {
    const struct lnstab__krylov *room = &m->krylov;
    w.transposed = w.rows > w.columns;
    const struct scaled a = scaled(m, w);
    if (!a.is_finite) {
        return unknown;
    }
    multiply(room, &a, &a, room->square[0]);
    return in_unit(lnstab__gram_norm(rows_of(w), columns_of(w), room->square[0], &room->lanczos,
                                     room->square[1]),
                   a.exponent);
}

/* Of a product in room->square[0], rows x columns, with entries of any size. */
static struct lnstab__norm_bounds dense_norm(const struct lnstab__krylov *room, size_t rows,
                                             size_t columns) {
    double *p = room->square[0], *gram = room->square[1], largest = 0;
    int exponent;
    for (size_t i = 0; i < rows * columns; ++i) {
        largest = fmax(largest, fabs(p[i]));
    }
    frexp(largest, &exponent);
    exponent = exponent < -1000 ? -1000 : exponent;
    for (size_t i = 0; i < rows * columns; ++i) {
        p[i] *= ldexp(1, -exponent);
    }
    const int is_tall = rows > columns;
    const size_t n = is_tall ? columns : rows, terms = is_tall ? rows : columns;
    lnstab__dgemm(is_tall, !is_tall, n, n, terms, 1, p, columns, p, columns, 0, gram, n);
    return in_unit(lnstab__gram_norm(n, terms, gram, &room->lanczos, p), exponent);
}

/* ||A B||_2 is off from that of the product as computed by gamma_r ||A||_F ||B||_F at most, and by what
 * underflows. */
struct lnstab__norm_bounds lnstab__product_norm(const lnstab_model *m, struct lnstab__weight left,
                                                struct lnstab__weight right) {
    const struct lnstab__krylov *room = &m->krylov;
    const struct scaled a = scaled(m, left), b = scaled(m, transpose(right));
    if (!a.is_finite || !b.is_finite) {
        return unknown;
    }
    if (a.square == 0 || b.square == 0) {
        return (struct lnstab__norm_bounds){0, 0};
    }
    const size_t rows = rows_of(a.w), columns = rows_of(b.w), inner = columns_of(a.w);
    multiply(room, &a, &b, room->square[0]);
    const struct lnstab__norm_bounds of = dense_norm(room, rows, columns);
    const double error = 1.01 * lnstab__rounding((double)inner) * sqrt(a.square) * sqrt(b.square) +
                         (double)(rows * columns) * (double)inner * 0x1p-1000;
    const struct lnstab__norm_bounds wide = {fmax(of.lower - error, 0) * (1 - 0x1p-50),
                                             (of.upper + error) * (1 + 0x1p-50)};
    return in_unit(wide, a.exponent + b.exponent);
}
