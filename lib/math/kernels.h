#ifndef LNSTAB_MATH_KERNELS_H
#define LNSTAB_MATH_KERNELS_H

#include <stddef.h>
#include <stdint.h>

/* Everything whose inner loop depends on the element type, behind one table a type. The code above
 * this folder holds arrays as void pointers, moves in them with lnstab__at, and calls these. bfloat16 and
 * float16 are types of a host's rows only: their tables have the conversions and the norms. */

enum lnstab__norm_kind { LNSTAB__NORM_NONE, LNSTAB__NORM_LAYER, LNSTAB__NORM_RMS };

/* y = scale (gamma z + bias), z = (x - mean)/s or x/s. NONE: y = scale x. gamma, bias: width elements,
 * NULL for 1 and for 0. */
struct lnstab__norm_map {
    enum lnstab__norm_kind kind;
    size_t width;
    double eps;
    double scale;
    const void *gamma;
    const void *bias;
};

/* What one row is to a norm. Layer: square = ||y||^2, y = x - mean - rest, rest being what the rounded mean
 * is short of. RMS: both 0, y = x. square is that of y divided by unit, a power of two that keeps it in
 * range. rstd = 1/s, s^2 = ||y||^2/width + eps. */
struct lnstab__row_moments {
    double mean, rest, rstd, unit, square;
};

/* What the Jacobian of a norm at one row is made of: J = diag(gamma) (1/s) (P - (1 - k) u u^T), u =
 * y/||y|| (0 for y = 0), k = eps/s^2, P = I - 11^T/d or I. Then
 *     s^2 ||J||_F^2 = projected + k^2 along,
 *     projected = sum of gamma_i^2 (P_ii - u_i^2),  along = sum of gamma_i^2 u_i^2. */
struct lnstab__row_jacobian {
    double mean, rest; /* y = x - mean - rest */
    double rstd, k, projected, along;
    double one_less_k;   /* 1 - k, of the variance: no digit is lost where k is close to 1 */
    double unit, square; /* ||y|| = unit sqrt(square) */
};

/* ReLU, GELU by erf, GELU by tanh, SiLU, in the order of the key activation. */
enum lnstab__activation { LNSTAB__RELU, LNSTAB__GELU, LNSTAB__GELU_TANH, LNSTAB__SILU };

/* Which scores of a row count. */
struct lnstab__softmax_mask {
    const uint8_t *keep; /* [columns], NULL: all */
    int causal;          /* row i sees columns 0..first + i */
    size_t first;
};

struct lnstab__health {
    double largest; /* of |x| over the finite entries */
    double sum_of_squares;
    int64_t nonfinite, subnormal;
};

struct lnstab__kernels {
    int32_t dtype;
    size_t size; /* of one element */
    const struct lnstab__kernels
        *affine; /* of gamma, bias and their gradients: itself, or float32 */

    /* from: rounded once, to nearest, ties to even */
    void (*from_double)(size_t n, const double *x, void *y);
    void (*to_double)(size_t n, const void *x, double *y);

    void (*norm_jacobian)(const struct lnstab__norm_map *map, const void *row,
                          struct lnstab__row_jacobian *out);
    void (*norm_forward)(const struct lnstab__norm_map *map, size_t rows, const void *x,
                         ptrdiff_t ldx, void *y, ptrdiff_t ldy);
    /* dx = dy J; sums: 2 width doubles, what gamma's gradient and bias's have from these rows. Each may be NULL:
     * not wanted. */
    void (*norm_backward)(const struct lnstab__norm_map *map, size_t rows, const void *x,
                          ptrdiff_t ldx, const void *dy, ptrdiff_t lddy, void *dx, ptrdiff_t lddx,
                          double *sums);
    void (*norm_jvp)(const struct lnstab__norm_map *map, size_t rows, const void *x, ptrdiff_t ldx,
                     const void *v, ptrdiff_t ldv, void *jv, ptrdiff_t ldjv);

    /* see math/blas.h */
    void (*gemm)(int transpose_a, int transpose_b, size_t m, size_t n, size_t k, double alpha,
                 const void *a, size_t lda, const void *b, size_t ldb, double beta, void *c,
                 size_t ldc);

    /* out = a x; out may be x */
    void (*scale)(size_t n, double a, const void *x, void *out);
    /* out = a x + b y; out may be x or y */
    void (*add_scaled)(size_t n, double a, const void *x, double b, const void *y, void *out);
    /* y[i, j] = row[j];  sums[j] = sum over i of y[i, j] */
    void (*repeat_row)(size_t rows, size_t columns, const void *row, void *y, size_t ldy);
    void (*column_sums)(size_t rows, size_t columns, const void *y, size_t ldy, double *sums);
    /* out += x, rounded once */
    void (*add_doubles)(size_t n, const double *x, void *out);

    /* h = act(pre) up; up NULL: act(pre). h may be pre where the activation is ReLU.
     * vjp: dpre = dh up act'(pre), dup = dh act(pre); jvp: th = up act'(pre) tpre + act(pre) tup. The
     * derivative arrays may be each other: dpre may be dh, th may be tpre. */
    void (*activate)(enum lnstab__activation act, size_t n, const void *pre, const void *up,
                     void *h);
    void (*activate_vjp)(enum lnstab__activation act, size_t n, const void *pre, const void *up,
                         const void *dh, void *dpre, void *dup);
    void (*activate_jvp)(enum lnstab__activation act, size_t n, const void *pre, const void *up,
                         const void *tpre, const void *tup, void *th);

    /* Turns the pairs (x_i, x_{i + n/2}) of each of pieces vectors of n entries by the angles of one
     * position, given as n/2 cosines and sines; sign -1 turns back. */
    void (*rotate)(size_t pieces, size_t n, const double *cosine, const double *sine, double sign,
                   void *x);

    /* s = cap tanh(s/cap) in place; t = t (1 - (c/cap)^2) with c the capped scores, its jvp and vjp */
    void (*soft_cap)(size_t n, double cap, void *s);
    void (*soft_cap_jacobian)(size_t n, double cap, const void *c, void *t);

    /* p = softmax(scale s) over the visible columns, 0 elsewhere, in place; no column: all 0 */
    void (*softmax)(size_t rows, size_t columns, double scale, struct lnstab__softmax_mask mask,
                    void *s, size_t lds);
    /* t = scale p (t - <p, t>) row by row, in place: softmax's Jacobian is symmetric, so this is its
     * jvp and its vjp, and it vanishes where p does */
    void (*softmax_jacobian)(size_t rows, size_t columns, double scale, const void *p, size_t ldp,
                             void *t, size_t ldt);

    /* -sum_k r_k log softmax(logits)_k of one row, r = (1 - smoothing) onehot(target) + smoothing/classes
     */
    double (*cross_entropy)(size_t classes, const void *logits, size_t target, double smoothing);
    /* out = weight (softmax(logits) - r) of one row */
    void (*cross_entropy_gradient)(size_t classes, const void *logits, size_t target,
                                   double smoothing, double weight, void *out);

    void (*health)(size_t n, const void *x, struct lnstab__health *add_to);
    /* the sum of (unit x)^2 over the finite entries */
    double (*scaled_square)(size_t n, double unit, const void *x);
};

/* For the widest vectors of this processor; NULL for an unknown dtype. */
const struct lnstab__kernels *lnstab__kernels_find(int32_t dtype);

extern const struct lnstab__kernels lnstab__kernels_f32, lnstab__kernels_f32_avx2,
    lnstab__kernels_f32_avx512;
extern const struct lnstab__kernels lnstab__kernels_f64, lnstab__kernels_f64_avx2,
    lnstab__kernels_f64_avx512;
extern const struct lnstab__kernels lnstab__kernels_bf16;
extern const struct lnstab__kernels lnstab__kernels_f16;

static inline void *lnstab__at(const struct lnstab__kernels *k, void *array, size_t element) {
    return (unsigned char *)array + element * k->size;
}

static inline const void *lnstab__at_const(const struct lnstab__kernels *k, const void *array,
                                           size_t element) {
    return (const unsigned char *)array + element * k->size;
}

#endif
