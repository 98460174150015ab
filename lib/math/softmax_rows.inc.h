/* Template: softmax over the visible columns of each row, its Jacobian, and the cap of scores before it.
 */

static size_t visible_columns(size_t row, size_t columns, struct lnstab__softmax_mask mask) {
    return mask.causal && row + 1 < columns ? row + 1 : columns;
}

static int is_visible(size_t column, struct lnstab__softmax_mask mask) {
    return !mask.keep || mask.keep[column];
}

static real largest_visible(size_t columns, struct lnstab__softmax_mask mask, const real *s) {
    real largest = -(real)INFINITY;
    for (size_t j = 0; j < columns; ++j) {
        largest = is_visible(j, mask) && s[j] > largest ? s[j] : largest;
    }
    return largest;
}

static void softmax_row(size_t seen, size_t columns, real factor, struct lnstab__softmax_mask mask,
                        real *s) {
    for (size_t j = 0; j < seen; ++j) {
        s[j] *= factor;
    }
    const real largest = largest_visible(seen, mask, s);
    double sum = 0;
    for (size_t j = 0; j < columns; ++j) {
        s[j] = j < seen && is_visible(j, mask) ? real_exp(s[j] - largest) : 0;
        sum += (double)s[j];
    }
    const double inverse = sum == 0 ? 0 : 1 / sum;
    for (size_t j = 0; j < seen; ++j) {
        s[j] = (real)((double)s[j] * inverse);
    }
}

static void softmax(size_t rows, size_t columns, double factor, struct lnstab__softmax_mask mask,
                    void *s) {
    for (size_t i = 0; i < rows; ++i) {
        softmax_row(visible_columns(i, columns, mask), columns, (real)factor, mask,
                    (real *)s + i * columns);
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

static void softmax_jacobian(size_t rows, size_t columns, double factor, const void *p, void *t) {
    for (size_t i = 0; i < rows; ++i) {
        const real *weight = (const real *)p + i * columns;
        real *out = (real *)t + i * columns;
        double mean = 0;
        for (size_t j = 0; j < columns; ++j) {
            mean += (double)weight[j] * (double)out[j];
        }
        for (size_t j = 0; j < columns; ++j) {
            out[j] = (real)(factor * (double)weight[j] * ((double)out[j] - mean));
        }
    }
}
