/* Template: what is wrong with an array, counted. */

static void health(size_t n, const void *x, struct lnstab__health *add_to) {
    const real *in = x;
    for (size_t i = 0; i < n; ++i) {
        double magnitude = fabs((double)in[i]);
        if (!(magnitude <= (double)real_max)) {
            add_to->nonfinite++;
        } else if (magnitude > add_to->largest) {
            add_to->largest = magnitude;
        }
        add_to->subnormal += magnitude > 0 && magnitude < (double)real_min;
        add_to->sum_of_squares += magnitude * magnitude;
    }
}

static double scaled_square(size_t n, double unit, const void *x) {
    const real *in = x;
    double sum = 0;
    for (size_t i = 0; i < n; ++i) {
        double value = (double)in[i] * unit;
        sum += isfinite(value) ? value * value : 0;
    }
    return sum;
}
