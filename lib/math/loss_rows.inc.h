/* Template: softmax cross-entropy of one row of logits z,
 *     -log softmax(z)_y = log sum exp(z - max) - (z_y - max),
 * smoothed by a share of the mean of that over all y. */

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
    double largest = largest_logit(classes, z);
    double loss = log(sum_of_exponentials(classes, z, largest));
    loss -= (1.0 - smoothing) * ((double)z[target] - largest);
    return smoothing > 0 ? loss - smoothing * mean_logit(classes, z, largest) : loss;
}

static void cross_entropy_gradient(size_t classes, const void *logits, size_t target,
                                   double smoothing, double weight, void *out) {
    const real *z = logits;
    real *gradient = out;
    const double largest = largest_logit(classes, z);
    const double factor = weight / sum_of_exponentials(classes, z, largest);
    const double elsewhere = weight * smoothing / (double)classes;
    for (size_t k = 0; k < classes; ++k) {
        double p = factor * (double)real_exp((real)((double)z[k] - largest)) - elsewhere;
        gradient[k] = (real)(k == target ? p - weight * (1.0 - smoothing) : p);
    }
}
