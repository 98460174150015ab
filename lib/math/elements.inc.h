/* Template: elementwise kernels and column sums. */

static void scale(size_t n, double a, const void *x, void *out) {
    const real *in = x;
    real *to = out;
    const real factor = (real)a;
    for (size_t i = 0; i < n; ++i) {
        to[i] = factor * in[i];
    }
}

static void add_scaled(size_t n, double a, const void *x, double b, const void *y, void *out) {
    const real *left = x, *right = y;
    real *sum = out;
    const real p = (real)a, q = (real)b;
    for (size_t i = 0; i < n; ++i) {
        sum[i] = p * left[i] + q * right[i];
    }
}

static void add_bias(size_t rows, size_t columns, const void *bias, void *y) {
    const real *b = bias;
    real *out = y;
    for (size_t i = 0; i < rows; ++i) {
        for (size_t j = 0; j < columns; ++j) {
            out[i * columns + j] += b[j];
        }
    }
}

static void add_column_sums(size_t rows, size_t columns, const void *y, double *room, void *sum) {
    const real *in = y;
    memset(room, 0, columns * sizeof *room);
    for (size_t i = 0; i < rows; ++i) {
        for (size_t j = 0; j < columns; ++j) {
            room[j] += (double)in[i * columns + j];
        }
    }
    add_rounded(columns, room, sum);
}
