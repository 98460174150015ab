#include "boundedness.h"

#include "predict.h"
#include "statistics.h"

#include <math.h>

static double mean_of(const double *values, size_t count) {
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += values[i];
    return sum / (double)count;
}

struct fraction fraction_above(const double *values, double limit, int seeds, int64_t tokens,
                               double miss) {
    size_t above = 0, count = (size_t)seeds * (size_t)tokens;
    struct fraction f = {NAN, NAN, NAN};
    for (size_t i = 0; i < count; i++) {
        if (isnan(values[i] - limit))
            return f;
        above += values[i] > limit;
    }
    f.estimate = (double)above / (double)count;
    clopper_pearson((double)above / (double)tokens, seeds, miss, &f.lower, &f.upper);
    return f;
}

static double mean_excess(const double *values, size_t count, double limit) {
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += values[i] <= limit ? 0 : values[i] - limit;
    return sum / (double)count;
}

bool boundedness_of(const struct sweep *s, struct cell at, struct boundedness *out) {
    const double *z = s->states + sweep_place(s, at, 0) * (size_t)s->setting.tokens;
    size_t count = (size_t)s->seeds * (size_t)s->setting.tokens;
    out->mean = mean_of(z, count);
    double limit = (1 + BOUNDEDNESS_EPSILON) * out->mean;
    out->delta = fraction_above(z, limit, s->seeds, s->setting.tokens, 0.05);
    out->tau = mean_excess(z, count, limit) / out->mean;
    return predict_probability(&s->setting, at, BOUNDEDNESS_EPSILON, out->delta.estimate, out->tau,
                               &out->published, &out->repaired_one, &out->repaired_all);
}
