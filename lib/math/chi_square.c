#include "math/chi_square.h"

#include <math.h>

/* e - log(1 + e), in r = e/(2 + e): e - 2 r = e r, log(1 + e) = 2 (r + r^3/3 + r^5/5 + ...), r <= 1/5 where the
 * difference of the two would lose digits. */
static double excess_less_log(double e) {
    const double r = e / (2.0 + e);
    double power = r, sum = 0.0;
    if (e > 0.5) {
        return e - log(1.0 + e);
    }
    for (int n = 3; n <= 25; n += 2) {
        power *= r * r;
        sum += power / n;
    }
    return e * r - 2.0 * sum;
}

/* a^a e^-a/Gamma(a) for a = 1/2, 1, 3/2, ...: Stirling's series, or Gamma from its recursion. */
static double own_density(double a) {
    const double pi = 3.14159265358979323846, b = 1.0 / (a * a);
    double gamma = a == floor(a) ? 1.0 : sqrt(pi);
    if (a >= 16.0) {
        const double series =
            (1.0 / 12 - b * (1.0 / 360 - b * (1.0 / 1260 - b * (1.0 / 1680 - b / 1188)))) / a;
        return sqrt(a / (2.0 * pi)) * exp(-series);
    }
    for (double below = a - 1.0; below > 0.0; below -= 1.0) {
        gamma *= below;
    }
    return pow(a, a) * exp(-a) / gamma;
}

/* With x = (1 + e) a,  Q(a, x) = x^a e^-x/Gamma(a) (1/x) (1 + (a-1)/x + (a-1)(a-2)/x^2 + ...), which ends for a
 * whole a, and for a half one before its first negative factor, where erfc(sqrt x) is what is left. All
 * terms are positive and fall. */
double lnstab__chi_square_tail(int64_t d, double excess) {
    const double a = (double)d / 2.0, x = (1.0 + excess) * a;
    double term = 1.0, sum = 0.0, left = a - 1.0;
    for (; left >= 0.0 && term > 1e-18 * sum; left -= 1.0) {
        sum += term;
        term *= left / x;
    }
    const double rest = d % 2 == 0 ? 0.0 : erfc(sqrt(x));
    return own_density(a) * exp(-a * excess_less_log(excess)) / x * sum + rest;
}
