#include "growth.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

/* Deep enough that a factor of 1.0003 a layer is told from a power; 8 of the largest are the library's limit. */
enum { DEPTHS = 4, LEAST_DEPTH = 2048, MOST_DEPTH = 12500 };

/* No placement that is a power of the depth has a larger one; what looks like it is no power. */
#define LARGEST_POWER 6

/* Increments that grow by less than 2^0.15 when the depth doubles count as alike: where the tokens become
 * alike on the way, as in pre, they still rise at these depths. */
#define ALIKE 0.15

/* q behind the last layer; infinity where there is no finite value. */
static double last_state(lnstab_config *c, int64_t layers, int64_t tokens) {
    char arguments[80];
    double q;
    snprintf(arguments, sizeof arguments, "layer=%" PRId64 " tokens=%" PRId64, layers, tokens);
    return lnstab_config_set_i64(c, "layers", layers) == LNSTAB_OK &&
                   lnstab_claim_predict(c, "meanfield.q", arguments, &q) == LNSTAB_OK
               ? q
               : (double)INFINITY;
}

/* Of what has no finite q at the depths of the classes. */
enum { SHALLOW = 64 };

static double shallow_rate(lnstab_config *c, int64_t tokens) {
    return log(last_state(c, 2 * SHALLOW, tokens) / last_state(c, SHALLOW, tokens)) / SHALLOW;
}

/* The rate between the deepest two of the depths that have a finite q; NaN if there are no two. */
static double rate_of(const double q[DEPTHS], double least) {
    double rate = NAN;
    for (int i = 1; i < DEPTHS && isfinite(q[i]); i++)
        rate = log(q[i] / q[i - 1]) / (least * (1 << (i - 1)));
    return rate;
}

/* least is the first of the depths. */
static struct growth classify(const double q[DEPTHS], double least) {
    double first = q[1] - q[0], second = q[2] - q[1], third = q[3] - q[2];
    if (!isfinite(q[3]) || (q[3] > 4 * q[2] && log(q[3] / q[2]) > 1.5 * log(q[2] / q[1])))
        return (struct growth){GROWTH_EXPONENTIAL, NAN, rate_of(q, least)};
    double power = log2(third / second);
    if (power > LARGEST_POWER)
        return (struct growth){GROWTH_EXPONENTIAL, NAN, NAN};
    if (third <= 1e-9 * q[3] || second <= 0 || first <= 0 || power < -ALIKE)
        return (struct growth){GROWTH_BOUNDED, NAN, NAN};
    return power < ALIKE ? (struct growth){GROWTH_LOGARITHMIC, NAN, NAN}
                         : (struct growth){GROWTH_POWER, power, NAN};
}

struct growth growth_of(lnstab_config *c, int64_t layers, int64_t tokens) {
    int64_t depth = layers < LEAST_DEPTH ? LEAST_DEPTH : layers > MOST_DEPTH ? MOST_DEPTH : layers;
    double q[DEPTHS];
    for (int i = 0; i < DEPTHS; i++)
        q[i] = last_state(c, depth << i, tokens);
    struct growth g = classify(q, (double)depth);
    if (g.class == GROWTH_EXPONENTIAL && !isfinite(q[1]))
        g.rate = shallow_rate(c, tokens);
    lnstab_config_set_i64(c, "layers", layers);
    return g;
}

void growth_words(struct growth g, char *words, size_t size) {
    switch (g.class) {
    case GROWTH_BOUNDED:
        snprintf(words, size, "bounded");
        break;
    case GROWTH_LOGARITHMIC:
        snprintf(words, size, "logarithmic");
        break;
    case GROWTH_POWER:
        if (fabs(g.power - 1) < ALIKE)
            snprintf(words, size, "linear");
        else
            snprintf(words, size, "power %.1f", g.power);
        break;
    case GROWTH_EXPONENTIAL:
        if (isnan(g.rate))
            snprintf(words, size, "faster than L^%d", LARGEST_POWER);
        else if (isinf(g.rate))
            snprintf(words, size, "exponential, and more");
        else if (g.rate < 0.01)
            snprintf(words, size, "exponential, x2 in %.0f layers", log(2) / g.rate);
        else
            snprintf(words, size, "exponential, x%.3g a layer", exp(g.rate));
        break;
    }
}
