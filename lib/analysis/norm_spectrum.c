#include "analysis/norm_spectrum.h"

#include <math.h>

#include "math/secular.h"

/* ---- what depends on gamma only ---- */

static size_t insert(const double *poles, size_t *list, size_t count, size_t i, double sign) {
    size_t at = count < 3 ? count : 3;
    for (; at > 0 && sign * poles[i] > sign * poles[list[at - 1]]; --at) {
        if (at < 3) {
            list[at] = list[at - 1];
        }
    }
    if (at < 3) {
        list[at] = i;
    }
    return count < 3 ? count + 1 : 3;
}

static void square_and_sort(struct lnstab__norm_spectrum *g) {
    for (size_t i = 0; i < g->width; ++i) {
        const double size = fabs(g->poles[i]);
        const double part = size > 0 ? fmax(size / g->unit, 1e-60) : 0.0;
        g->poles[i] = part * part;
        g->zeros += size == 0;
        g->tops = insert(g->poles, g->largest, g->tops, i, 1.0);
        if (size > 0 || g->zeros == 1) {
            g->bottoms = insert(g->poles, g->smallest, g->bottoms, i, -1.0);
        }
    }
}

/* (1/d) 1^T (diag(gamma)^2 - t)^-1 1 vanishes at the mu that are no poles. */
static struct lnstab__jet mean_resolvent(const void *of, double t) {
    const struct lnstab__norm_spectrum *g = of;
    const struct lnstab__pole_sums s = lnstab__pole_sums(g->width, g->poles, g->poles, 0.0, t);
    return (struct lnstab__jet){s.w, s.ww};
}

/* mu between two neighbouring poles: above the lower one by no less than its share of their distance. */
static double between(const struct lnstab__norm_spectrum *g, size_t lower, size_t upper) {
    const double left = g->poles[lower], right = g->poles[upper];
    const double least = left + (right - left) / (double)g->width;
    return least < right ? lnstab__secular_root(mean_resolvent, g, left, right, least, least)
                         : right;
}

static void find_eigenvalues(struct lnstab__norm_spectrum *g) {
    const size_t nonzero = g->width - g->zeros, most = g->width - (g->centred != 0);
    g->rank = nonzero < most ? nonzero : most;
    const size_t *high = g->largest, *low = g->smallest + (!g->centred && g->zeros > 0);
    for (size_t i = 0; i < 2 && i < g->rank; ++i) {
        g->first[i] = g->centred ? between(g, high[i + 1], high[i]) : g->poles[high[i]];
        g->last[i] = g->centred ? between(g, low[i], low[i + 1]) : g->poles[low[i]];
    }
}

void lnstab__norm_spectrum_prepare(struct lnstab__norm_spectrum *g) {
    *g =
        (struct lnstab__norm_spectrum){.width = g->width, .centred = g->centred, .poles = g->poles};
    for (size_t i = 0; i < g->width; ++i) {
        const double size = fabs(g->poles[i]);
        g->unit = size > g->unit || isnan(size) ? size : g->unit;
    }
    if (isfinite(g->unit)) {
        square_and_sort(g);
        find_eigenvalues(g);
    }
}

static double eigenvalue(const struct lnstab__norm_spectrum *g, size_t j) {
    return j < 1 || j > g->rank ? 0.0 : j <= 2 ? g->first[j - 1] : g->last[g->rank - j];
}

/* ---- one row ---- */

/* Without eps J loses u, but where the entries of u at the zeros of gamma still tell it: where they
 * are not all equal, without centring not all 0. */
static int shows_in_zeros(const struct lnstab__norm_spectrum *g, const double *x) {
    const double usual = g->centred && g->zeros > 0 ? x[g->smallest[0]] : 0.0;
    for (size_t i = 0; i < g->width; ++i) {
        if (g->poles[i] == 0.0 && x[i] != usual) {
            return 1;
        }
    }
    return 0;
}

struct lnstab__spectrum_row lnstab__norm_spectrum_row(const struct lnstab__norm_spectrum *g,
                                                      const struct lnstab__row_jacobian *j,
                                                      double eps, double *x) {
    int exponent;
    frexp(j->square, &exponent);
    /* two factors: their product overflows for subnormal rows */
    const double to_unit = 1.0 / j->unit, to_one = ldexp(1.0, -exponent / 2);
    const int lost = j->square > 0 && eps == 0 && !shows_in_zeros(g, x);
    for (size_t i = 0; i < g->width; ++i) {
        x[i] = x[i] * to_unit * to_one;
    }
    return (struct lnstab__spectrum_row){.x = x,
                                         .square = ldexp(j->square, -2 * (exponent / 2)),
                                         .k = j->k,
                                         .rest = j->one_less_k * (1.0 + j->k),
                                         .rank = g->rank - (size_t)lost};
}

struct resolvent {
    const struct lnstab__norm_spectrum *g;
    const struct lnstab__spectrum_row *row;
    const size_t *near;
    size_t nears;
};

/* The entry whose pole is nearest to t. */
static size_t nearest(const struct resolvent *r, double t) {
    size_t best = r->near[0];
    for (size_t i = 1; i < r->nears; ++i) {
        if (fabs(r->g->poles[r->near[i]] - t) < fabs(r->g->poles[best] - t)) {
            best = r->near[i];
        }
    }
    return best;
}

/* (1 - k^2) u^T (H - t)^-1 u - k^2/t, H = P diag(gamma)^2 P on the range of P. Entries of u count from that
 * at the nearest pole, which takes the large w out of both sums that cancel. */
static struct lnstab__jet secular(const void *of, double t) {
    const struct resolvent *r = of;
    const struct lnstab__spectrum_row *row = r->row;
    const double centre = r->g->centred ? row->x[nearest(r, t)] : 0.0;
    const struct lnstab__pole_sums s =
        lnstab__pole_sums(r->g->width, r->g->poles, row->x, centre, t);
    const double mean = r->g->centred && s.wv != 0 ? s.wv / s.w : 0.0;
    const double value = s.wvv - mean * s.wv, slope = s.wwvv - mean * (2 * s.wwv - mean * s.ww);
    const double share = row->rest / row->square, eps = row->k * row->k / t;
    return (struct lnstab__jet){share * value - eps, share * slope + eps / t};
}

double lnstab__norm_singular_value(const struct lnstab__norm_spectrum *g,
                                   const struct lnstab__spectrum_row *row, size_t j) {
    if (j < 1 || j > row->rank) {
        return 0.0;
    }
    const double left = eigenvalue(g, j + 1), right = eigenvalue(g, j);
    if (row->square == 0 || left >= right) {
        return sqrt(right);
    }
    if (g->zeros == 0 && g->first[0] == g->last[0]) {
        return row->k * sqrt(right);
    }
    const struct resolvent r = {.g = g,
                                .row = row,
                                .near = j == 1 ? g->largest : g->smallest,
                                .nears = j == 1 ? g->tops : g->bottoms};
    const double least = fmax(left, right * fmax(row->k * row->k, 1e-120));
    const double share = (right - left) / (double)g->width;
    const double first = least > left ? least : right - share;
    return sqrt(lnstab__secular_root(secular, &r, left, right, least, first));
}
