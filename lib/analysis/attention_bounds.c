#include "analysis/attention_bounds.h"

#include <math.h>
#include <string.h>

#include "analysis/known_norms.h"
#include "analysis/norm_facts.h"

/* Rows of W_Q, W_K or W_V [out, in] that are head h's. */
static struct lnstab__weight rows_of(const struct lnstab__scene *s, const struct lnstab__linear *w,
                                     size_t head_dim, size_t h) {
    return (struct lnstab__weight){
        .data = lnstab__at_const(s->kernels, w->weight.data, h * head_dim * w->in),
        .rows = head_dim,
        .columns = w->in,
        .stride = w->in};
}

/* Columns of W_O that are head h's. */
static struct lnstab__weight columns_of(const struct lnstab__scene *s,
                                        const struct lnstab__linear *w, size_t head_dim, size_t h) {
    return (struct lnstab__weight){.data =
                                       lnstab__at_const(s->kernels, w->weight.data, h * head_dim),
                                   .rows = w->out,
                                   .columns = head_dim,
                                   .stride = w->in};
}

static size_t kv_head(const struct lnstab__attention *f, size_t h) {
    return h / (f->heads / f->kv_heads);
}

/* ||b W||, b head h's part of a bias, W rows of a matrix. */
static double row_combination(const struct lnstab__scene *s, const void *b, size_t h,
                              struct lnstab__weight w) {
    double *sum = s->room, *row = s->room + w.columns, square = 0.0;
    memset(sum, 0, w.columns * sizeof *sum);
    for (size_t i = 0; b && i < w.rows; ++i) {
        const double factor = lnstab__scene_entry(s, b, h * w.rows + i, 0.0);
        lnstab__scene_row(s, w.data, w.columns, i, row);
        for (size_t j = 0; j < w.columns; ++j) {
            sum[j] += factor * row[j];
        }
    }
    for (size_t j = 0; j < w.columns; ++j) {
        square += sum[j] * sum[j];
    }
    return sqrt(square);
}

/* ||b||, of head h's part. */
static double part_norm(const struct lnstab__scene *s, const void *b, size_t head_dim, size_t h) {
    double square = 0.0;
    for (size_t i = 0; b && i < head_dim; ++i) {
        const double entry = lnstab__scene_entry(s, b, h * head_dim + i, 0.0);
        square += entry * entry;
    }
    return sqrt(square);
}

struct lnstab__head_bounds lnstab__head_values(const struct lnstab__scene *s,
                                               const struct lnstab__attention *f, size_t h) {
    const struct lnstab__weight v = rows_of(s, &f->w_v, f->head_dim, kv_head(f, h));
    const double value =
        f->w_o.weight.data
            ? lnstab__known_product_norm(s->m, columns_of(s, &f->w_o, f->head_dim, h), v)
            : lnstab__known_weight_norm(s->m, v);
    return (struct lnstab__head_bounds){.value = value};
}

/* A score is (x_i W_Q + b_Q) R (x_j W_K + b_K)^T/sqrt head_dim. Without R and a cap, x_i W_Q b_K^T is the same for
 * all keys, and softmax does not see it. With R = R_(i - j), only sizes are left of what stands beside it. */
struct lnstab__head_bounds lnstab__head_bounds_of(const struct lnstab__scene *s,
                                                  const struct lnstab__attention *f, size_t h) {
    const size_t kv = kv_head(f, h);
    const double unit = 1.0 / sqrt((double)f->head_dim);
    struct lnstab__weight q = rows_of(s, &f->w_q, f->head_dim, h);
    const struct lnstab__weight k = rows_of(s, &f->w_k, f->head_dim, kv);
    struct lnstab__head_bounds out = lnstab__head_values(s, f, h);
    if (f->rotary.cosine) {
        const double w_q = lnstab__known_weight_norm(s->m, q);
        const double w_k = lnstab__known_weight_norm(s->m, k);
        out.score = w_q * w_k * unit;
        out.query = w_q * part_norm(s, f->w_k.bias.data, f->head_dim, kv) * unit;
        out.key = part_norm(s, f->w_q.bias.data, f->head_dim, h) * w_k * unit;
        return out;
    }
    out.key = row_combination(s, f->w_q.bias.data, h, k) * unit;
    out.query = f->soft_cap > 0 ? row_combination(s, f->w_k.bias.data, kv, q) * unit : 0.0;
    q.transposed = 1;
    out.score = lnstab__known_product_norm(s->m, q, k) * unit;
    return out;
}

/* The largest sum of columns first..first + count - 1, at most CHUNK. */
enum { CHUNK = 64 };

static double largest_sum(const struct lnstab__scene *s, const void *p, size_t first,
                          size_t count) {
    double sum[CHUNK] = {0}, row[CHUNK], most = 0.0;
    for (size_t i = 0; i < s->tokens; ++i) {
        s->kernels->to_double(count, lnstab__at_const(s->kernels, p, i * s->tokens + first), row);
        for (size_t j = 0; j < count; ++j) {
            sum[j] += row[j];
        }
    }
    for (size_t j = 0; j < count; ++j) {
        most = lnstab__larger(most, sum[j]);
    }
    return most;
}

double lnstab__head_spread(const struct lnstab__scene *s, const struct lnstab__attention *f,
                           size_t h) {
    double most = 0.0;
    for (size_t b = 0; b < s->batch; ++b) {
        const void *p = lnstab__at_const(s->kernels, f->weights.data,
                                         (b * f->heads + h) * s->tokens * s->tokens);
        for (size_t first = 0; first < s->tokens; first += CHUNK) {
            const size_t left = s->tokens - first;
            most = lnstab__larger(most, largest_sum(s, p, first, left < CHUNK ? left : CHUNK));
        }
    }
    return sqrt(most);
}
