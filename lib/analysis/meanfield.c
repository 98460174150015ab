#include "analysis/meanfield.h"

#include <math.h>

double lnstab__meanfield_c_f(const struct lnstab__spec *spec) {
    double rho = (double)spec->ffn_width / (double)spec->width;
    return 2.0 * rho / ((1.0 + rho) * (1.0 + rho));
}

double lnstab__meanfield_kap(double p) {
    const double pi = 3.14159265358979323846264338327950288;
    double correlation = fmin(1.0, fmax(-1.0, p));
    double sine = sqrt((1.0 - correlation) * (1.0 + correlation));
    return (sine + correlation * (pi - acos(correlation))) / (2.0 * pi);
}

static struct lnstab__moments scaled(double factor, struct lnstab__moments m) {
    return (struct lnstab__moments){factor * m.q, factor * m.c};
}

double lnstab__meanfield_cosine(struct lnstab__moments m) {
    return m.q > 0 ? m.c / m.q : 0.0;
}

/* What has no size is not given one by a norm, whose eps > 0 then decides. */
static struct lnstab__moments normed(int present, struct lnstab__moments m) {
    return present ? (struct lnstab__moments){m.q > 0 ? 1.0 : 0.0, lnstab__meanfield_cosine(m)} : m;
}

static double squared_gain(const struct lnstab__spec *spec, int64_t k, enum lnstab__gain gain) {
    double g = lnstab__spec_value(spec, lnstab__spec_row(spec, k).gain[gain], k / 2 + 1);
    return g * g;
}

/* Uniform attention: every token's branch is W_O W_V of the tokens' average. */
static struct lnstab__moments attention(const struct lnstab__spec *spec, int64_t k, double n,
                                        struct lnstab__moments in) {
    double gain = squared_gain(spec, k, LNSTAB__GAIN_V) *
                  (spec->out_proj ? squared_gain(spec, k, LNSTAB__GAIN_O) : 1.0);
    double average = gain * (in.q / n + (1.0 - 1.0 / n) * in.c);
    return (struct lnstab__moments){average, average};
}

static struct lnstab__moments ffn(const struct lnstab__spec *spec, int64_t k,
                                  struct lnstab__moments in) {
    double gain = squared_gain(spec, k, LNSTAB__GAIN_W1) * squared_gain(spec, k, LNSTAB__GAIN_W2) *
                  lnstab__meanfield_c_f(spec);
    return (struct lnstab__moments){
        gain * in.q, 2.0 * gain * in.q * lnstab__meanfield_kap(lnstab__meanfield_cosine(in))};
}

static struct lnstab__meanfield update(const struct lnstab__spec *spec, int64_t k, double n,
                                       struct lnstab__moments in) {
    const struct lnstab__placement_row row = lnstab__spec_row(spec, k);
    const int64_t l = k / 2 + 1;
    double kappa = lnstab__spec_value(spec, row.kappa, l);
    double alpha = lnstab__spec_value(spec, row.alpha, l);
    struct lnstab__meanfield m = {.beta = lnstab__spec_value(spec, row.beta, l)};
    m.f_in = scaled(kappa * kappa, normed(row.norm_in, in));
    m.branch = k % 2 ? ffn(spec, k, m.f_in) : attention(spec, k, n, m.f_in);
    struct lnstab__moments step = scaled(m.beta * m.beta, normed(row.norm_out, m.branch));
    struct lnstab__moments kept = scaled(alpha * alpha, in);
    m.sum = (struct lnstab__moments){kept.q + step.q, kept.c + step.c};
    m.out = normed(row.norm_res, m.sum);
    return m;
}

struct lnstab__meanfield lnstab__meanfield_ffn(const struct lnstab__spec *spec, int64_t l,
                                               double n) {
    struct lnstab__meanfield m = {.out = {1.0, 0.0}};
    for (int64_t k = 0; k < 2 * l; ++k) {
        m = update(spec, k, n, m.out);
    }
    return m;
}
