#include <math.h>
#include <string.h>

#include "analysis/scene.h"
#include "base/text.h"

double lnstab__scene_coherence(const struct lnstab__scene *s) {
    const struct lnstab__sublayer *last = lnstab__scene_sublayer(s, 2 * s->spec->layers);
    const void *costate = s->spec->final_norm ? last->out.grad : last->sum.grad;
    return lnstab__scene_cosine(s, costate, s->width);
}

/* Xiong 2020's ||x5||^2 of post and ||x||^2 of pre, before the last norm, and how it exceeds
 * (1 + epsilon) times its mean: how often, and by how much of it. */
static void tell_boundedness(const struct lnstab__scene *s, struct lnstab__claim_arguments *out) {
    const void *x = lnstab__scene_sublayer(s, 2 * s->spec->layers)->sum.data;
    const double limit =
        (1.0 + out->epsilon) * lnstab__scene_total(s, x, s->width) / (double)s->rows;
    double excess = 0.0;
    for (size_t i = 0; i < s->rows; ++i) {
        const double square = lnstab__scene_square(s, x, s->width, i);
        excess += square <= limit ? 0.0 : square - limit;
    }
    out->delta = lnstab__scene_share_above(s, x, limit);
    out->tau = excess / (double)s->rows * (1.0 + out->epsilon) / limit;
}

void lnstab__scene_tell(const struct lnstab__scene *s, const char *wanted,
                        struct lnstab__claim_arguments *out) {
    out->tokens = (double)s->tokens;
    if (lnstab__text_has_word(wanted, "start", strlen("start"))) {
        out->start =
            lnstab__scene_largest(s, s->m->embed_out.data, s->width) / sqrt((double)s->width);
    }
    if (lnstab__text_has_word(wanted, "coherence", strlen("coherence"))) {
        out->coherence = s->tokens > 1 ? lnstab__scene_coherence(s) : 0.0;
    }
    if (lnstab__text_has_word(wanted, "epsilon", strlen("epsilon"))) {
        tell_boundedness(s, out);
    }
}
