#include "analysis/scene.h"

#include <math.h>
#include <string.h>

#include "base/text.h"
#include "math/basis.h"

struct lnstab__scene lnstab__scene_of(lnstab_model *m) {
    const size_t batch = (size_t)m->extents.batch, tokens = (size_t)m->extents.tokens;
    return (struct lnstab__scene){.m = m,
                                  .spec = &m->spec,
                                  .kernels = m->kernels,
                                  .batch = batch,
                                  .tokens = tokens,
                                  .rows = batch * tokens,
                                  .width = (size_t)m->spec.width,
                                  .room = m->work.columns};
}

/* Each tells what is missing, or NULL. */
static const char *misses_states(const struct lnstab__scene *s) {
    return !s->m->batch.has_forward
               ? "a forward, and there has been none since the weights were set"
           : s->m->batch.start != LNSTAB__INPUT
               ? "a forward of the whole, and the last one went on from a state"
           : s->spec->keep_states < 1 ? "every state: set keep_states=1"
                                      : NULL;
}

static const char *misses_costates(const struct lnstab__scene *s) {
    return s->spec->keep_states < 2      ? "costates: set keep_states=2"
           : !s->spec->gradients         ? "gradients: set gradients=1"
           : s->spec->gradients_from > 0 ? "gradients of all layers: set gradients_from=0"
           : s->spec->gradients_of != LNSTAB__GRADIENTS_OF_ALL
               ? "gradients of all parameters: set gradients_of=all"
           : s->m->batch.backward == LNSTAB__BACKWARD_NONE
               ? "a backward, and there has been none since the last forward"
               : NULL;
}

static const char *misses_loss(const struct lnstab__scene *s) {
    return s->m->batch.backward == LNSTAB__BACKWARD_LOSS ? NULL
                                                         : "the backward of a loss: dout was given";
}

static const char *misses_one_sequence(const struct lnstab__scene *s) {
    return s->batch == 1 ? NULL : "one sequence: a batch of 1";
}

static const char *misses_one_token(const struct lnstab__scene *s) {
    return s->m->batch.counted == 1 ? NULL : "a loss that counted one token";
}

static const char *misses_unmasked(const struct lnstab__scene *s) {
    const struct lnstab__batch *batch = &s->m->batch;
    return batch->has_keep && memchr(batch->keep, 0, s->rows) ? "every token: keep has a 0" : NULL;
}

static const char *misses_all_tokens(const struct lnstab__scene *s) {
    const struct lnstab__batch *batch = &s->m->batch;
    const char *missing = misses_unmasked(s);
    return missing ? missing
           : batch->backward == LNSTAB__BACKWARD_LOSS && batch->counted != (int64_t)s->rows
               ? "a loss that counted every token"
               : NULL;
}

/* 0 where an entry is not value; a parameter that is not there is as good. */
static int is_constant(const struct lnstab__scene *s, const void *x, double value) {
    double entry;
    for (size_t i = 0; x && i < s->width; ++i) {
        s->kernels->to_double(1, lnstab__at_const(s->kernels, x, i), &entry);
        if (entry != value) {
            return 0;
        }
    }
    return 1;
}

static int is_plain(const struct lnstab__scene *s, const struct lnstab__norm_op *n) {
    return is_constant(s, n->gamma.data, 1.0) && is_constant(s, n->bias.data, 0.0);
}

static const char *misses_plain_norms(const struct lnstab__scene *s) {
    int plain = is_plain(s, &s->m->norm_embed) && is_plain(s, &s->m->norm_final);
    for (int64_t k = 1; plain && k <= 2 * s->spec->layers; ++k) {
        const struct lnstab__sublayer *at = lnstab__scene_sublayer(s, k);
        plain =
            is_plain(s, &at->norm_in) && is_plain(s, &at->norm_out) && is_plain(s, &at->norm_res);
    }
    return plain ? NULL : "norms with gamma 1 and bias 0: forward.norm is for others";
}

static const char *misses_pairs(const struct lnstab__scene *s) {
    const uint8_t *keep = s->m->batch.has_keep ? s->m->batch.keep : NULL;
    return s->batch % 2 != 0 ? "an even batch: its halves are samples of two distributions"
           : keep && memcmp(keep, keep + s->rows / 2, s->rows / 2) != 0
               ? "the same keep in both halves of the batch"
               : NULL;
}

static const char *misses_krylov(const struct lnstab__scene *s) {
    return s->spec->krylov > 0 ? NULL : "room for Lanczos vectors: set krylov=16";
}

static const char *misses_branches(const struct lnstab__scene *s) {
    const char *missing = misses_krylov(s);
    for (int64_t k = 1; missing && k <= 2 * s->spec->layers; ++k) {
        const struct lnstab__sublayer *at = lnstab__scene_sublayer(s, k);
        if (at->norm_out.kind == LNSTAB__NORM_NONE && at->norm_res.kind == LNSTAB__NORM_NONE &&
            at->beta != 0.0) {
            return missing;
        }
    }
    return NULL;
}

const char *lnstab__scene_misses(const struct lnstab__scene *s, const char *needs) {
    static const struct {
        const char *word;
        const char *(*misses)(const struct lnstab__scene *s);
    } table[] = {{"states", misses_states},
                 {"costates", misses_costates},
                 {"loss", misses_loss},
                 {"one-sequence", misses_one_sequence},
                 {"one-token", misses_one_token},
                 {"unmasked", misses_unmasked},
                 {"all-tokens", misses_all_tokens},
                 {"plain-norms", misses_plain_norms},
                 {"pairs", misses_pairs},
                 {"krylov", misses_krylov},
                 {"branches", misses_branches}};
    const char *missing = NULL;
    for (size_t i = 0; !missing && i < sizeof table / sizeof *table; ++i) {
        if (lnstab__text_has_word(needs, table[i].word, strlen(table[i].word))) {
            missing = table[i].misses(s);
        }
    }
    return missing;
}

const struct lnstab__state *lnstab__scene_stream(const struct lnstab__scene *s, int64_t k) {
    return k == 0                     ? &s->m->embed_out
           : k <= 2 * s->spec->layers ? &lnstab__scene_sublayer(s, k)->out
                                      : &s->m->output;
}

void lnstab__scene_row(const struct lnstab__scene *s, const void *x, size_t width, size_t i,
                       double *out) {
    s->kernels->to_double(width, lnstab__at_const(s->kernels, x, i * width), out);
}

static double square_of(size_t n, const double *x) {
    double sum = 0.0;
    for (size_t i = 0; i < n; ++i) {
        sum += x[i] * x[i];
    }
    return sum;
}

double lnstab__scene_square(const struct lnstab__scene *s, const void *x, size_t width, size_t i) {
    lnstab__scene_row(s, x, width, i, s->room);
    return square_of(width, s->room);
}

double lnstab__scene_norm(const struct lnstab__scene *s, const void *x, size_t width, size_t i) {
    lnstab__scene_row(s, x, width, i, s->room);
    return lnstab__vector_norm(width, s->room);
}

double lnstab__scene_total(const struct lnstab__scene *s, const void *x, size_t width) {
    double sum = 0.0;
    for (size_t i = 0; i < s->rows; ++i) {
        sum += lnstab__scene_square(s, x, width, i);
    }
    return sum;
}

double lnstab__scene_dot(const struct lnstab__scene *s, const void *x, size_t width, size_t i,
                         size_t j) {
    double *a = s->room, *b = s->room + width, sum = 0.0;
    lnstab__scene_row(s, x, width, i, a);
    lnstab__scene_row(s, x, width, j, b);
    for (size_t e = 0; e < width; ++e) {
        sum += a[e] * b[e];
    }
    return sum;
}

double lnstab__scene_frobenius(const struct lnstab__scene *s, const void *x, size_t rows,
                               size_t width) {
    double norm = 0.0;
    for (size_t i = 0; i < rows; ++i) {
        norm = hypot(norm, lnstab__scene_norm(s, x, width, i));
    }
    return norm;
}

double lnstab__scene_largest(const struct lnstab__scene *s, const void *x, size_t width) {
    double most = 0.0;
    for (size_t i = 0; i < s->rows; ++i) {
        most = lnstab__larger(most, lnstab__scene_norm(s, x, width, i));
    }
    return most;
}

double lnstab__scene_share_above(const struct lnstab__scene *s, const void *x, double limit) {
    double above = 0.0, sum = limit;
    for (size_t i = 0; i < s->rows; ++i) {
        const double square = lnstab__scene_square(s, x, s->width, i);
        above += square > limit;
        sum += square;
    }
    return isfinite(sum) ? above / (double)s->rows : (double)NAN;
}

/* The sum of <x_i, x_j> over i != j of a sequence is ||sum x_i||^2 - sum ||x_i||^2. */
double lnstab__scene_cosine(const struct lnstab__scene *s, const void *x, size_t width) {
    double *row = s->room, *sum = s->room + width, all = 0.0, own = 0.0;
    for (size_t b = 0; b < s->batch; ++b) {
        memset(sum, 0, width * sizeof *sum);
        for (size_t t = 0; t < s->tokens; ++t) {
            lnstab__scene_row(s, x, width, b * s->tokens + t, row);
            own += square_of(width, row);
            for (size_t j = 0; j < width; ++j) {
                sum[j] += row[j];
            }
        }
        all += square_of(width, sum);
    }
    return (all - own) / (((double)s->tokens - 1.0) * own);
}
