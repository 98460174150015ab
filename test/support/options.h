#ifndef LNSTAB_TEST_OPTIONS_H
#define LNSTAB_TEST_OPTIONS_H

#include <stddef.h>
#include <stdint.h>

#include "lnstab.h"
#include "support/covering.h"

/* Every option of a model that a derivative goes through, as a factor of a covering array, and small
 * float64 models with odd sizes made of a row of choices. */

/* As ck_assert_msg, without the note to the parent process that Check makes of every assertion: for loops
 * over many models. */
#define require(condition, ...)                                                                    \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            ck_abort_msg(__VA_ARGS__);                                                             \
        }                                                                                          \
    } while (0)

enum option {
    OPTION_PLACEMENT,
    OPTION_NORM,
    OPTION_ACTIVATION,
    OPTION_GATED,
    OPTION_BIAS,
    OPTION_QK_NORM,
    OPTION_SOFT_CAP,
    OPTION_POSITIONS,
    OPTION_HEADS,
    OPTION_CAUSAL,
    OPTION_MASK,
    OPTION_ENDS, /* what comes in and what goes out; a tied head needs tokens */
    OPTION_SMOOTHING,
    OPTION_OUT_PROJ,
    OPTION_EMBED_NORM,
    OPTIONS
};

enum { ENDS_TOKENS, ENDS_EMBEDDED, ENDS_TIED };
enum { OPTION_BATCH = 2, OPTION_TOKENS = 5, OPTION_ROWS = OPTION_BATCH * OPTION_TOKENS };

/* The factors and their levels. */
struct covering options_covering(int strength);

/* The assignments of a row: layers, then what the choices say, then `more`. */
enum { OPTION_WORDS = 700 };
void option_words(const int8_t *row, int layers, const char *more, char words[OPTION_WORDS]);

/* A model of a row, drawn, and perturbed so that no bias is 0 and no gamma is 1, and the batch that it is
 * run on: smaller than its largest. x is NULL where it takes tokens; keep, where nothing is masked. */
struct option_model {
    char words[OPTION_WORDS];
    lnstab_model *m;
    size_t width, count; /* count: of the entries of a state of the stream */
    void *x;
    const uint8_t *keep;
};

struct option_model option_model_new(const int8_t *row, int layers, const char *more);
void option_model_free(struct option_model *o);

/* Runs its batch up to the loss. One target is not counted. */
double option_loss(const struct option_model *o);

#endif
