/* Template: rotary positions on the pieces (heads) of one token. */

static void rotate(size_t pieces, size_t n, const double *cosine, const double *sine, double sign,
                   void *x) {
    const size_t half = n / 2;
    for (size_t p = 0; p < pieces; ++p) {
        real *low = (real *)x + p * n, *high = low + half;
        for (size_t i = 0; i < half; ++i) {
            const double a = (double)low[i], b = (double)high[i], s = sign * sine[i];
            low[i] = (real)(a * cosine[i] - b * s);
            high[i] = (real)(b * cosine[i] + a * s);
        }
    }
}
