#include "analysis/meanfield.h"

#include <math.h>

static double rho_of(const struct lnstab__spec *spec) {
    return (double)spec->ffn_width / (double)spec->width;
}

double lnstab__meanfield_hidden_share(const struct lnstab__spec *spec) {
    return rho_of(spec) / (1.0 + rho_of(spec));
}

double lnstab__meanfield_c_f(const struct lnstab__spec *spec) {
    double rho = rho_of(spec);
    return 2.0 * rho / ((1.0 + rho) * (1.0 + rho));
}

static const double pi = 3.14159265358979323846264338327950288;

/* Rounding may put a cosine beyond its ends. */
static double clamped(double p) {
    return fmin(1.0, fmax(-1.0, p));
}

double lnstab__meanfield_kap1(double p) {
    return (pi - acos(clamped(p))) / (2.0 * pi);
}

double lnstab__meanfield_kap(double p) {
    double correlation = clamped(p);
    double sine = sqrt((1.0 - correlation) * (1.0 + correlation));
    return sine / (2.0 * pi) + correlation * lnstab__meanfield_kap1(correlation);
}

static struct lnstab__moments scaled(double factor, struct lnstab__moments m) {
    return (struct lnstab__moments){factor * m.q, factor * m.c};
}

double lnstab__meanfield_cosine(struct lnstab__moments m) {
    return m.q > 0 ? m.c / m.q : 0.0;
}

double lnstab__meanfield_average(struct lnstab__moments m, double n) {
    return m.q / n + (1.0 - 1.0 / n) * m.c;
}

/* What has no size is not given one by a norm, whose eps > 0 then decides. */
static struct lnstab__moments normed(int present, struct lnstab__moments m) {
    return present ? (struct lnstab__moments){m.q > 0 ? 1.0 : 0.0, lnstab__meanfield_cosine(m)} : m;
}

static double divisor(int present, struct lnstab__moments m) {
    return present ? m.q : 1.0;
}

/* Uniform attention: every token's branch is W_O W_V of the tokens' average. */
static struct lnstab__moments attention(double gain, double n, struct lnstab__moments in) {
    double average = gain * lnstab__meanfield_average(in, n);
    return (struct lnstab__moments){average, average};
}

static struct lnstab__moments ffn(double gain, struct lnstab__moments in) {
    return (struct lnstab__moments){
        gain * in.q, 2.0 * gain * in.q * lnstab__meanfield_kap(lnstab__meanfield_cosine(in))};
}

static struct lnstab__placement_row row_of(const struct lnstab__spec *spec, int64_t k) {
    return k < 2 * spec->layers ? lnstab__spec_row(spec, k)
                                : (struct lnstab__placement_row){.norm_res = spec->final_norm,
                                                                 .alpha = {1.0, 0.0, 0.0}};
}

static double square_of(const struct lnstab__spec *spec, struct lnstab__rule rule, int64_t k) {
    double value = lnstab__spec_value(spec, rule, k / 2 + 1);
    return value * value;
}

static void set_gains(const struct lnstab__spec *spec, int64_t k, struct lnstab__meanfield *m) {
    const struct lnstab__placement_row row = row_of(spec, k);
    const enum lnstab__gain first = m->is_ffn ? LNSTAB__GAIN_W1 : LNSTAB__GAIN_V;
    const enum lnstab__gain last = m->is_ffn ? LNSTAB__GAIN_W2 : LNSTAB__GAIN_O;
    const int has_last = m->is_ffn || spec->out_proj;
    m->first = square_of(spec, row.gain[first], k);
    m->last = has_last ? square_of(spec, row.gain[last], k) : 1.0;
    m->gain = m->first * m->last * (m->is_ffn ? lnstab__meanfield_c_f(spec) : 1.0);
}

struct lnstab__meanfield lnstab__meanfield_update(const struct lnstab__spec *spec, int64_t k,
                                                  double n, struct lnstab__moments in) {
    const struct lnstab__placement_row row = row_of(spec, k);
    double kappa2 = square_of(spec, row.kappa, k), alpha2 = square_of(spec, row.alpha, k);
    double beta2 = square_of(spec, row.beta, k);
    struct lnstab__meanfield m = {.in = in, .is_ffn = (int)(k % 2)};
    set_gains(spec, k, &m);
    m.f_in = scaled(kappa2, normed(row.norm_in, in));
    m.branch = m.is_ffn ? ffn(m.gain, m.f_in) : attention(m.gain, n, m.f_in);
    m.step = scaled(beta2, normed(row.norm_out, m.branch));
    m.stay = scaled(alpha2, in);
    m.sum = (struct lnstab__moments){m.stay.q + m.step.q, m.stay.c + m.step.c};
    m.out = normed(row.norm_res, m.sum);
    m.entered = kappa2 / divisor(row.norm_in, in);
    m.passed = beta2 / divisor(row.norm_out, m.branch) / divisor(row.norm_res, m.sum);
    m.kept = alpha2 / divisor(row.norm_res, m.sum);
    return m;
}

struct lnstab__meanfield lnstab__meanfield_at(const struct lnstab__spec *spec, int64_t k,
                                              double n) {
    struct lnstab__moments in = {1.0, 0.0};
    for (int64_t below = 0; below < k; ++below) {
        in = lnstab__meanfield_update(spec, below, n, in).out;
    }
    return lnstab__meanfield_update(spec, k, n, in);
}
