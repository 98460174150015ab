#include "nn/rotary.h"

#include <math.h>

#include "nn/split.h"

void lnstab__rotary_fill(struct lnstab__rotary *r, size_t max_tokens, double base) {
    const size_t half = r->head_dim / 2;
    for (size_t i = 0; i < half; ++i) {
        const double frequency = pow(base, -2.0 * (double)i / (double)r->head_dim);
        for (size_t t = 0; t < max_tokens; ++t) {
            r->cosine[t * half + i] = cos((double)t * frequency);
            r->sine[t * half + i] = sin((double)t * frequency);
        }
    }
}

struct turn {
    const struct lnstab__rotary *r;
    const struct lnstab__run *run;
    size_t pieces;
    double sign;
    void *x;
};

static void turn_rows(const void *argument, struct lnstab__span span) {
    const struct turn *t = argument;
    const size_t half = t->r->head_dim / 2, width = t->pieces * t->r->head_dim;
    const struct lnstab__kernels *k = t->run->kernels;
    for (size_t row = span.first; row < span.last; ++row) {
        const size_t angles = row % t->run->tokens * half;
        k->rotate(t->pieces, t->r->head_dim, t->r->cosine + angles, t->r->sine + angles, t->sign,
                  lnstab__at(k, t->x, row * width));
    }
}

void lnstab__rotary_apply(const struct lnstab__rotary *r, const struct lnstab__run *run,
                          size_t pieces, double sign, void *x) {
    const struct turn t = {r, run, pieces, sign, x};
    if (r->cosine) {
        lnstab__split(run, run->rows, pieces * r->head_dim, turn_rows, &t);
    }
}
