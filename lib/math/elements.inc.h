/* Template: elementwise kernels and column sums. */

static void scale(size_t n, double a, const void *x, void *out) {
    FOR_LANES(i, count, n,
              { lanes_store(count, a * lanes_load(count, (const real *)x + i), (real *)out + i); });
}

static void add_scaled(size_t n, double a, const void *x, double b, const void *y, void *out) {
    FOR_LANES(i, count, n, {
        const lanes left = lanes_load(count, (const real *)x + i);
        const lanes right = lanes_load(count, (const real *)y + i);
        lanes_store(count, a * left + b * right, (real *)out + i);
    });
}

/* Where a product is added to, a bias goes before it. */
static void repeat_row(size_t rows, size_t columns, const void *row, void *y, size_t ldy) {
    for (size_t i = 0; i < rows; ++i) {
        memcpy((real *)y + i * ldy, row, columns * sizeof(real));
    }
}

static void column_sums(size_t rows, size_t columns, const void *y, size_t ldy, double *sums) {
    memset(sums, 0, columns * sizeof *sums);
    for (size_t i = 0; i < rows; ++i) {
        const real *row = (const real *)y + i * ldy;
        FOR_LANES(j, n, columns, { lanes_add(n, lanes_load(n, row + j), sums + j); });
    }
}

static void add_doubles(size_t n, const double *x, void *out) {
    real *sum = out;
    for (size_t i = 0; i < n; ++i) {
        sum[i] = (real)((double)sum[i] + x[i]);
    }
}
