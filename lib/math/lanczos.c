#include "math/lanczos.h"

#include <math.h>
#include <string.h>

#include "math/basis.h"
#include "math/philox.h"
#include "math/svd.h"

/* A V = U B,  A^T U = V B^T + f e^T: V, U orthonormal, B upper triangular and so bidiagonal, but for
 * rounding and for the columns at which the iteration was begun again. All its columns are computed. */
struct state {
    const struct lnstab__operator *a;
    struct lnstab__lanczos_room room;
    struct lnstab__lanczos how;
    size_t most;      /* vectors of a basis */
    size_t size;      /* of the present one, which grows until the values have converged */
    double unit;      /* a power of two: A is divided by it */
    double largest;   /* entry of B so far */
    double beta;      /* ||f|| */
    double found;     /* the sum of the values at the last beginning */
    uint64_t drawn;   /* random numbers so far */
    int64_t products; /* with A or A^T */
    int is_begun_anew, is_finite;
};

static void apply(struct state *s, const double *v, double *u) {
    s->a->apply(s->a->self, v, u);
    lnstab__vector_scale(s->a->out, 1 / s->unit, u);
    s->is_finite = s->is_finite && isfinite(lnstab__vector_norm(s->a->out, u));
    ++s->products;
}

static void apply_transpose(struct state *s, const double *u, double *v) {
    s->a->apply_transpose(s->a->self, u, v);
    lnstab__vector_scale(s->a->in, 1 / s->unit, v);
    s->is_finite = s->is_finite && isfinite(lnstab__vector_norm(s->a->in, v));
    ++s->products;
}

/* A random unit vector orthogonal to a basis that is not complete. */
static void draw(struct state *s, const double *basis, size_t count, size_t n, double *w) {
    const struct lnstab__stream stream = {.kind = LNSTAB__LANCZOS_KIND};
    double left = 0;
    while (!(left > 0)) {
        lnstab__draw_normal(stream, s->drawn, n, w);
        s->drawn += n;
        lnstab__vector_scale(n, 1 / lnstab__vector_norm(n, w), w);
        left = lnstab__basis_orthogonalise(basis, count, n, w, s->room.sigma, s->room.panel);
    }
    lnstab__vector_scale(n, 1 / left, w);
}

/* Makes w, of a norm that is left beside the basis, its next vector; where the norm is rounding, a random
 * one, and the norm is 0. */
static double settle(struct state *s, const double *basis, size_t count, size_t n, double *w,
                     double left) {
    s->largest = fmax(s->largest, left);
    if (left > 0x1p-50 * s->largest) {
        lnstab__vector_scale(n, 1 / left, w);
        return left;
    }
    draw(s, basis, count, n, w);
    return 0;
}

/* Column j of U and of B, and column j + 1 of V. */
static void extend(struct state *s, size_t j) {
    const struct lnstab__lanczos_room *r = &s->room;
    const size_t in = s->a->in, out = s->a->out;
    double *u = r->u + j * out, *next = r->v + (j + 1) * in, *column = r->b + j * s->size;
    memset(column, 0, s->size * sizeof *column);
    apply(s, r->v + j * in, u);
    if (s->is_finite) {
        const double left = lnstab__basis_orthogonalise(r->u, j, out, u, column, r->panel);
        column[j] = settle(s, r->u, j, out, u, left);
        apply_transpose(s, u, next);
    }
    if (s->is_finite) {
        const double left = lnstab__basis_orthogonalise(r->v, j + 1, in, next, r->sigma, r->panel);
        s->beta = j + 1 < in ? settle(s, r->v, j + 1, in, next, left) : 0;
    }
}

/* ||A^T u_i - sigma_i v_i|| by the recurrence. */
static double ritz_residual(const struct state *s, size_t i) {
    return s->beta * fabs(s->room.b[i * s->size + s->size - 1]);
}

/* Goes on from the first kept triplets to a basis of so many; is the next vector of V a random one, what is
 * left of them, f, is dropped. */
static void restart(struct state *s, size_t kept, size_t size, int anew) {
    const struct lnstab__lanczos_room *r = &s->room;
    const size_t in = s->a->in, before = s->size;
    lnstab__basis_rotate(r->x, kept, before, in, r->v, r->panel);
    lnstab__basis_rotate(r->b, kept, before, s->a->out, r->u, r->panel);
    s->size = size;
    for (size_t i = 0; i < kept; ++i) {
        memset(r->b + i * s->size, 0, s->size * sizeof *r->b);
        r->b[i * s->size + i] = r->sigma[i];
    }
    if (anew) {
        draw(s, r->v, kept, in, r->v + kept * in);
    } else {
        memmove(r->v + kept * in, r->v + before * in, in * sizeof *r->v);
    }
}

static int all_within(const struct state *s, size_t count) {
    /* some of the tolerance is for what a new beginning drops */
    for (size_t i = 0; i < count; ++i) {
        if (ritz_residual(s, i) > 0.125 * s->how.tolerance * s->room.sigma[0]) {
            return 0;
        }
    }
    return 1;
}

static double sum(size_t n, const double *x) {
    double total = 0;
    for (size_t i = 0; i < n; ++i) {
        total += x[i];
    }
    return total;
}

enum step { GO_ON, BEGIN_ANEW, STOP };

/* Once all have converged: a Krylov space has one copy of each value, so that the iteration begins anew
 * beside them, until it brings up nothing above the last of them. */
static enum step next_step(struct state *s) {
    const size_t k = s->how.wanted;
    const double *sigma = s->room.sigma;
    if (s->size == s->a->in) {
        return STOP;
    }
    if (!all_within(s, k)) {
        return GO_ON;
    }
    if (!s->how.is_checked) {
        return STOP;
    }
    const int is_clear = sigma[k] + ritz_residual(s, k) <= sigma[k - 1] || all_within(s, k + 1);
    if (s->is_begun_anew && !is_clear) {
        return GO_ON;
    }
    const double total = sum(k, sigma), rise = (double)k * s->how.tolerance * sigma[0];
    const int is_same = s->is_begun_anew && total <= s->found + rise;
    s->is_begun_anew = 1;
    s->found = total;
    return is_same ? STOP : BEGIN_ANEW;
}

/* Begins with a random vector, and with the size of its image as the unit. */
static void begin(struct state *s) {
    int exponent;
    draw(s, s->room.v, 0, s->a->in, s->room.v);
    s->a->apply(s->a->self, s->room.v, s->room.u);
    double largest = 0;
    for (size_t i = 0; i < s->a->out; ++i) {
        largest = fmax(largest, fabs(s->room.u[i]));
    }
    frexp(isfinite(largest) ? largest : 1, &exponent);
    s->unit = ldexp(1, exponent < -1000 ? -1000 : exponent > 1000 ? 1000 : exponent);
    ++s->products;
}

static size_t least(size_t a, size_t b) {
    return a < b ? a : b;
}

/* Grows the basis, and keeps all of it while there is room; then a third of what was not asked for. A new
 * beginning gets the length that was enough before. Returns how many are kept. */
static size_t go_on(struct state *s, enum step step) {
    const size_t k = s->how.wanted, size = s->size;
    const size_t kept = step != GO_ON ? k : size < s->most ? size : k + (size - k) / 3;
    const size_t next = step == BEGIN_ANEW ? size + k : size + 4 + size / 8;
    restart(s, kept, step == STOP ? size : least(next, s->most), step == BEGIN_ANEW);
    return kept;
}

static void iterate(struct state *s) {
    size_t have = 0;
    begin(s);
    for (int restarts = 0;; ++restarts) {
        for (; have < s->size && s->is_finite; ++have) {
            extend(s, have);
        }
        if (!s->is_finite) {
            return;
        }
        lnstab__svd(s->size, s->room.b, s->room.x, s->room.sigma);
        const enum step step = restarts < LNSTAB__LANCZOS_RESTARTS ? next_step(s) : STOP;
        have = go_on(s, step);
        if (step == STOP) {
            return;
        }
    }
}

/* The residuals as they are, not as the recurrence has them. */
static void measure(struct state *s, double *sigma, double *residual) {
    const size_t in = s->a->in;
    double *w = s->room.v + s->size * in;
    for (size_t i = 0; i < s->how.wanted; ++i) {
        if (s->is_finite) {
            apply_transpose(s, s->room.u + i * s->a->out, w);
        }
        for (size_t j = 0; s->is_finite && j < in; ++j) {
            w[j] -= s->room.sigma[i] * s->room.v[i * in + j];
        }
        sigma[i] = s->is_finite ? s->room.sigma[i] * s->unit : NAN;
        residual[i] = s->is_finite ? lnstab__vector_norm(in, w) * s->unit : NAN;
    }
}

struct lnstab__lanczos_result lnstab__lanczos(const struct lnstab__operator *a,
                                              const struct lnstab__lanczos_room *room,
                                              struct lnstab__lanczos how, double *sigma,
                                              double *residual) {
    struct state s = {
        .a = a, .room = *room, .how = how, .most = least(room->vectors, a->in), .is_finite = 1};
    s.size = least(how.wanted + 7, s.most);
    int32_t converged = 0;
    iterate(&s);
    measure(&s, sigma, residual);
    while ((size_t)converged < how.wanted && residual[converged] <= how.tolerance * sigma[0]) {
        ++converged;
    }
    return (struct lnstab__lanczos_result){(int32_t)((s.products + 1) / 2), converged};
}
