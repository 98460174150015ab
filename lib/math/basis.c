#include "math/basis.h"

#include <math.h>
#include <string.h>

#include "math/blas.h"

static double sum_of_squares(size_t n, const double *x, double unit) {
    double sum = 0;
    for (size_t i = 0; i < n; ++i) {
        sum += (x[i] * unit) * (x[i] * unit);
    }
    return sum;
}

/* Squares below 2^-1074 are lost: 2^-174 of such a sum each. */
double lnstab__vector_norm(size_t n, const double *x) {
    const double sum = sum_of_squares(n, x, 1);
    double largest = 0;
    int exponent;
    if (isnan(sum) || (sum > 0x1p-900 && isfinite(sum))) {
        return sqrt(sum);
    }
    for (size_t i = 0; i < n; ++i) {
        largest = fmax(largest, fabs(x[i]));
    }
    if (largest == 0 || isinf(largest)) {
        return largest;
    }
    frexp(largest, &exponent);
    exponent = exponent < -1000 ? -1000 : exponent; /* 2^-exponent has to be finite */
    return ldexp(sqrt(sum_of_squares(n, x, ldexp(1, -exponent))), exponent);
}

void lnstab__vector_scale(size_t n, double factor, double *x) {
    for (size_t i = 0; i < n; ++i) {
        x[i] *= factor;
    }
}

double lnstab__basis_orthogonalise(const double *basis, size_t count, size_t n, double *w,
                                   double *h, double *room) {
    enum { PASSES = 4 };
    double before = lnstab__vector_norm(n, w);
    for (int pass = 0; count > 0 && pass < PASSES; ++pass) {
        lnstab__dgemm(0, 1, 1, count, n, 1, w, n, basis, n, 0, room, count);
        lnstab__dgemm(0, 0, 1, n, count, -1, room, count, basis, n, 1, w, n);
        for (size_t i = 0; i < count; ++i) {
            h[i] += room[i];
        }
        const double after = lnstab__vector_norm(n, w);
        if (pass > 0 && after > 0.5 * before) {
            return after;
        }
        before = after;
    }
    return count > 0 ? 0 : before;
}

void lnstab__basis_rotate(const double *turn, size_t kept, size_t count, size_t n, double *basis,
                          double *room) {
    enum { PANEL = LNSTAB__BASIS_PANEL };
    for (size_t first = 0; first < n; first += PANEL) {
        const size_t columns = n - first < PANEL ? n - first : PANEL;
        for (size_t i = 0; i < count; ++i) {
            memcpy(room + i * columns, basis + i * n + first, columns * sizeof *basis);
        }
        lnstab__dgemm(0, 0, kept, columns, count, 1, turn, count, room, columns, 0, basis + first,
                      n);
    }
}
