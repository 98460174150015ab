/* Template: softmax cross-entropy of one row of logits z,
 *     -log softmax(z)_y = log sum exp(z - max) - (z_y - max). */

static double largest_logit(size_t classes, const real *z) {
    double largest = (double)z[0];
    for (size_t k = 1; k < classes; ++k) {
        largest = (double)z[k] > largest ? (double)z[k] : largest;
    }
    return largest;
}

static double sum_of_exponentials(size_t classes, const real *z, double largest) {
    double sum = 0;
    for (size_t k = 0; k < classes; ++k) {
        sum += (double)real_exp((real)((double)z[k] - largest));
    }
    return sum;
}

static double cross_entropy(size_t classes, const void *logits, size_t target) {
    const real *z = logits;
    double largest = largest_logit(classes, z);
    return log(sum_of_exponentials(classes, z, largest)) - ((double)z[target] - largest);
}

static void cross_entropy_gradient(size_t classes, const void *logits, size_t target, double weight,
                                   void *out) {
    const real *z = logits;
    real *gradient = out;
    double largest = largest_logit(classes, z);
    double factor = weight / sum_of_exponentials(classes, z, largest);
    for (size_t k = 0; k < classes; ++k) {
        double p = factor * (double)real_exp((real)((double)z[k] - largest));
        gradient[k] = (real)(k == target ? p - weight : p);
    }
}
