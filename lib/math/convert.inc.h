/* Template: arrays from double and back, by load and store, and sums in double added to an array of real. */

static void from_double(size_t n, const double *x, void *y) {
    element *out = y;
    for (size_t i = 0; i < n; ++i) {
        out[i] = store(x[i]);
    }
}

static void to_double(size_t n, const void *x, double *y) {
    const element *in = x;
    for (size_t i = 0; i < n; ++i) {
        y[i] = load(in[i]);
    }
}

static void add_rounded(size_t n, const double *x, real *sum) {
    for (size_t i = 0; i < n; ++i) {
        sum[i] = (real)((double)sum[i] + x[i]);
    }
}
