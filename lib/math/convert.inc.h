/* Template: arrays from double and back, by load and store. */

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
