/* Template: softmax cross-entropy of one row of logits z,
 *     -log softmax(z)_y = log sum exp(z - max) - (z_y - max),
 * smoothed by a share of the mean of that over all y. */

/* e^(z - largest) */
lanes_inline lanes exponential_lanes(size_t n, const real *z, double largest) {
    return row_exp(lanes_load(n, z) - largest);
}

/* of one number: the first entry of a vector of equal ones */
static double exponential_of(double x) {
    return lanes_max(row_exp(lanes_of(x)));
}

/* e, where it is wanted: the exponentials, rounded */
lanes_inline double sum_of_exponentials(size_t classes, const real *z, double largest, real *e) {
    lanes sum = lanes_of(0.0);
    FOR_LANES(k, n, classes, {
        const lanes value = exponential_lanes(n, z + k, largest);
        sum += lanes_keep(n, value);
        if (e) {
            lanes_store(n, value, e + k);
        }
    });
    return lanes_sum(sum);
}

/* The mean over the classes of z_k - largest. */
static double mean_logit(size_t classes, const real *z, double largest) {
    double sum = 0;
    for (size_t k = 0; k < classes; ++k) {
        sum += (double)z[k] - largest;
    }
    return sum / (double)classes;
}

static double cross_entropy(size_t classes, const void *logits, size_t target, double smoothing) {
    const real *z = logits;
    double largest = largest_of(classes, z);
    double loss = log(sum_of_exponentials(classes, z, largest, NULL));
    loss -= (1.0 - smoothing) * ((double)z[target] - largest);
    return smoothing > 0 ? loss - smoothing * mean_logit(classes, z, largest) : loss;
}

static void cross_entropy_gradient(size_t classes, const void *logits, size_t target,
                                   double smoothing, double weight, void *out) {
    const real *z = logits;
    real *gradient = out;
    const double largest = largest_of(classes, z);
    const double own = exponential_of((double)z[target] - largest);
    const double factor = weight / sum_of_exponentials(classes, z, largest, gradient);
    const double elsewhere = weight * smoothing / (double)classes;
    FOR_LANES(k, n, classes,
              { lanes_store(n, factor * lanes_load(n, gradient + k) - elsewhere, gradient + k); });
    gradient[target] = (real)(factor * own - elsewhere - weight * (1.0 - smoothing));
}
