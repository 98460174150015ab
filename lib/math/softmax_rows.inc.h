/* Template: softmax over the visible columns of each row, its Jacobian, and the cap of scores before it.
 */

static size_t visible_columns(size_t row, size_t columns, struct lnstab__softmax_mask mask) {
    return mask.causal && mask.first + row + 1 < columns ? mask.first + row + 1 : columns;
}

static void hide(size_t columns, const uint8_t *keep, real *s) {
    for (size_t j = 0; j < columns; ++j) {
        s[j] = keep[j] ? s[j] : -(real)INFINITY;
    }
}

/* s = e^(factor (s - largest)); returns the sum. */
static double exponentials(size_t seen, double factor, double largest, real *s) {
    lanes sum = lanes_of(0.0);
    FOR_LANES(j, n, seen, {
        const lanes e = row_exp(factor * (lanes_load(n, s + j) - largest));
        sum += lanes_keep(n, e);
        lanes_store(n, e, s + j);
    });
    return lanes_sum(sum);
}

static void finish(size_t seen, size_t columns, double factor, real *s) {
    FOR_LANES(j, n, seen, { lanes_store(n, factor * lanes_load(n, s + j), s + j); });
    for (size_t j = seen; j < columns; ++j) {
        s[j] = 0;
    }
}

/* Of rows first..last-1, at most ROWS_AT_ONCE. */
static void softmax_rows(size_t first, size_t last, size_t columns, double factor,
                         struct lnstab__softmax_mask mask, real *s, size_t lds) {
    double largest[ROWS_AT_ONCE], sum[ROWS_AT_ONCE];
    for (size_t i = first; i < last; ++i) {
        const size_t seen = visible_columns(i, columns, mask);
        if (mask.keep) {
            hide(seen, mask.keep, s + i * lds);
        }
        largest[i - first] = largest_of(seen, s + i * lds);
    }
    for (size_t i = first; i < last; ++i) {
        const double shift = largest[i - first];
        sum[i - first] = exponentials(visible_columns(i, columns, mask), factor,
                                      shift == -INFINITY ? 0 : shift, s + i * lds);
    }
    for (size_t i = first; i < last; ++i) {
        const double inverse = largest[i - first] == -INFINITY ? 0 : 1 / sum[i - first];
        finish(visible_columns(i, columns, mask), columns, inverse, s + i * lds);
    }
}

static void softmax(size_t rows, size_t columns, double factor, struct lnstab__softmax_mask mask,
                    void *s, size_t lds) {
    for (size_t i = 0; i < rows; i += ROWS_AT_ONCE) {
        softmax_rows(i, group_end(i, rows), columns, factor, mask, s, lds);
    }
}

static void soft_cap(size_t n, double cap, void *s) {
    real *score = s;
    for (size_t i = 0; i < n; ++i) {
        score[i] = (real)(cap * tanh((double)score[i] / cap));
    }
}

static void soft_cap_jacobian(size_t n, double cap, const void *c, void *t) {
    const real *capped = c;
    real *out = t;
    for (size_t i = 0; i < n; ++i) {
        const double part = (double)capped[i] / cap;
        out[i] = (real)((double)out[i] * (1.0 - part) * (1.0 + part));
    }
}

/* <p, t> */
static double mean_under(size_t n, const real *p, const real *t) {
    lanes sum = lanes_of(0.0);
    FOR_LANES(j, count, n,
              { sum += lanes_keep(count, lanes_load(count, p + j) * lanes_load(count, t + j)); });
    return lanes_sum(sum);
}

static void softmax_jacobian(size_t rows, size_t columns, double factor, const void *p, size_t ldp,
                             void *t, size_t ldt) {
    for (size_t i = 0; i < rows; ++i) {
        const real *weight = (const real *)p + i * ldp;
        real *out = (real *)t + i * ldt;
        const double mean = mean_under(columns, weight, out);
        FOR_LANES(j, n, columns, {
            const lanes value = lanes_load(n, out + j) - mean;
            lanes_store(n, factor * lanes_load(n, weight + j) * value, out + j);
        });
    }
}
