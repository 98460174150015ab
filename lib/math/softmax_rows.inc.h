/* Template: softmax over the visible columns of each row, its Jacobian, and the cap of scores before it.
 */

static size_t visible_columns(size_t row, size_t columns, struct lnstab__softmax_mask mask) {
    return mask.causal && mask.first + row + 1 < columns ? mask.first + row + 1 : columns;
}

/* The scores, and where a column is masked the least number there is. */
lanes_inline lanes visible_lanes(size_t n, struct lnstab__softmax_mask mask, size_t column,
                                 const real *s) {
    real seen[LANES];
    for (size_t lane = 0; lane < LANES; ++lane) {
        const int is_seen = lane < n && (!mask.keep || mask.keep[column + lane]);
        seen[lane] = is_seen ? s[lane] : -(real)INFINITY;
    }
    return lanes_load(LANES, seen);
}

lanes_inline lanes score_lanes(size_t n, struct lnstab__softmax_mask mask, size_t column,
                               const real *s) {
    return n == LANES && !mask.keep ? lanes_load(n, s) : visible_lanes(n, mask, column, s);
}

/* A NaN is larger than nothing. */
static double largest_visible(size_t seen, struct lnstab__softmax_mask mask, const real *s) {
    lanes largest = lanes_of(-INFINITY);
    FOR_LANES(j, n, seen, {
        const lanes value = score_lanes(n, mask, j, s + j);
        largest = lanes_if_less(largest, value, value, largest);
    });
    return lanes_max(largest);
}

/* s = e^(factor (s - largest)) over the visible columns; returns the sum. */
static double exponentials(size_t seen, double factor, double largest,
                           struct lnstab__softmax_mask mask, real *s) {
    lanes sum = lanes_of(0.0);
    FOR_LANES(j, n, seen, {
        const lanes e = row_exp(factor * (score_lanes(n, mask, j, s + j) - largest));
        sum += e;
        lanes_store(n, e, s + j);
    });
    return lanes_sum(sum);
}

static void softmax_row(size_t seen, size_t columns, double factor,
                        struct lnstab__softmax_mask mask, real *s) {
    const double largest = largest_visible(seen, mask, s);
    const int any = !(largest == -INFINITY);
    const double sum = exponentials(seen, factor, any ? largest : 0, mask, s);
    scale(seen, any ? 1 / sum : 0, s, s);
    memset(s + seen, 0, (columns - seen) * sizeof *s);
}

static void softmax(size_t rows, size_t columns, double factor, struct lnstab__softmax_mask mask,
                    void *s, size_t lds) {
    for (size_t i = 0; i < rows; ++i) {
        softmax_row(visible_columns(i, columns, mask), columns, factor, mask, (real *)s + i * lds);
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
