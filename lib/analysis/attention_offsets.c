#include "analysis/attention_offsets.h"

#include <math.h>
#include <string.h>

#include "analysis/norm_facts.h"

/* b_V as the heads read it. */
static void spread_values(const struct lnstab__scene *s, const struct lnstab__attention *f,
                          double *out) {
    const size_t group = f->heads / f->kv_heads;
    for (size_t j = 0; j < s->width; ++j) {
        const size_t h = j / f->head_dim;
        out[j] = lnstab__scene_entry(s, f->w_v.bias.data, h / group * f->head_dim + j % f->head_dim,
                                     0.0);
    }
}

struct lnstab__offset_norms lnstab__attention_offsets(const struct lnstab__scene *s,
                                                      const struct lnstab__attention *f) {
    double *row = s->room, *values = s->room + s->width;
    double with = 0.0, through = 0.0, alone = 0.0;
    spread_values(s, f, values);
    for (size_t i = 0; i < s->width; ++i) {
        const double own = lnstab__scene_entry(s, f->w_o.bias.data, i, 0.0);
        double value = f->w_o.weight.data ? 0.0 : values[i];
        if (f->w_o.weight.data) {
            lnstab__scene_row(s, f->w_o.weight.data, s->width, i, row);
            for (size_t j = 0; j < s->width; ++j) {
                value += row[j] * values[j];
            }
        }
        with += (value + own) * (value + own);
        through += value * value;
        alone += own * own;
    }
    return (struct lnstab__offset_norms){sqrt(with), sqrt(through), sqrt(alone)};
}

int lnstab__has_blind_query(const struct lnstab__scene *s) {
    const uint8_t *keep = s->m->batch.has_keep ? s->m->batch.keep : NULL;
    for (size_t b = 0; keep && b < s->batch; ++b, keep += s->tokens) {
        if (s->spec->causal ? keep[0] == 0 : memchr(keep, 1, s->tokens) == NULL) {
            return 1;
        }
    }
    return 0;
}
