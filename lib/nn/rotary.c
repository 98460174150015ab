#include "nn/rotary.h"

#include <math.h>

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

void lnstab__rotary_apply(const struct lnstab__rotary *r, const struct lnstab__run *run,
                          size_t pieces, double sign, void *x) {
    const size_t half = r->head_dim / 2;
    for (size_t row = 0; r->cosine && row < run->rows; ++row) {
        const size_t angles = row % run->tokens * half;
        run->kernels->rotate(pieces, r->head_dim, r->cosine + angles, r->sine + angles, sign,
                             lnstab__at(run->kernels, x, row * pieces * r->head_dim));
    }
}
