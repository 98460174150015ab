#include "analysis/head.h"

#include <math.h>

#include "nn/init.h"

double lnstab__head_logit_variance(const struct lnstab__spec *spec) {
    const double deviation =
        lnstab__scheme_init(spec->head_init, (size_t)spec->width, (size_t)spec->vocab, 0).value;
    return (double)spec->width * deviation * deviation;
}

double lnstab__head_gradient(const struct lnstab__spec *spec) {
    const double s = lnstab__head_logit_variance(spec);
    return s * (1.0 + (exp(s) - 2.0) / (double)spec->vocab) + s * s / (double)spec->width;
}

double lnstab__head_coherence(const struct lnstab__spec *spec, double cosine) {
    const double s = lnstab__head_logit_variance(spec);
    return expm1(s * cosine) / ((double)spec->vocab + exp(s) - 2.0);
}
