#include "math/secular.h"

#include <math.h>

enum { LANES = 2, SUMS = 6 };

/* One pole into the sums of a lane: lanes are what a compiler makes vectors of. */
static inline void add_pole(double *s, double gap, double v, double tiny) {
    const double w = 1.0 / (gap != 0.0 ? gap : tiny), wv = w * v;
    s[0 * LANES] += w;
    s[1 * LANES] += wv;
    s[2 * LANES] += wv * v;
    s[3 * LANES] += w * w;
    s[4 * LANES] += w * wv;
    s[5 * LANES] += wv * wv;
}

struct lnstab__pole_sums lnstab__pole_sums(size_t n, const double *poles, const double *x,
                                           double centre, double t) {
    const double tiny = 0x1p-54 * t;
    double s[SUMS * LANES] = {0}, total[SUMS] = {0};
    size_t i = 0;
    for (; i + LANES <= n; i += LANES) {
        for (size_t lane = 0; lane < LANES; ++lane) {
            add_pole(s + lane, poles[i + lane] - t, x[i + lane] - centre, tiny);
        }
    }
    for (; i < n; ++i) {
        add_pole(s, poles[i] - t, x[i] - centre, tiny);
    }
    for (size_t k = 0; k < SUMS * LANES; ++k) {
        total[k / LANES] += s[k];
    }
    return (struct lnstab__pole_sums){total[0], total[1], total[2], total[3], total[4], total[5]};
}

/* Halves the number of candidates: of floating-point numbers while the ends are far apart, then of reals. */
static double middle(double low, double high) {
    return low > 0 && high > 4 * low ? sqrt(low) * sqrt(high) : low + (high - low) / 2;
}

/* Newton's step for f(t) (t - left) (right - t), which has no pole between its factors' zeros. */
static double newton_step(struct lnstab__jet f, double above_left, double below_right) {
    return -f.value / (f.slope + f.value * (1 / above_left - 1 / below_right));
}

double lnstab__secular_root(lnstab__secular_fn *f, const void *of, double left, double right,
                            double least, double first) {
    enum { NEWTON = 16, CALLS = 128 };
    double low = least, high = right, t = first;
    for (int i = 0; i < CALLS && high - low > 0x1p-52 * high; ++i) {
        const struct lnstab__jet at = f(of, t);
        *(at.value < 0 ? &low : &high) = t;
        const double step = newton_step(at, t - left, right - t);
        const double scale = fmin(t - left, right - t);
        if (fabs(step) <= 0x1p-26 * scale) {
            return fmin(fmax(t + step, least), right);
        }
        t = i < NEWTON && t + step > low && t + step < high ? t + step : middle(low, high);
    }
    return low + (high - low) / 2;
}
