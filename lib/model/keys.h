#ifndef LNSTAB_MODEL_KEYS_H
#define LNSTAB_MODEL_KEYS_H

#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "model/placement.h"

/* The parameter table: setters, introspection, programs and bindings read it and nothing else. */

enum lnstab__key_type { LNSTAB__INTEGER, LNSTAB__NUMBER, LNSTAB__CHOICE, LNSTAB__RULE };

enum lnstab__key_id {
    LNSTAB__KEY_PRESET,
    LNSTAB__KEY_PLACEMENT,
    LNSTAB__KEY_LAYERS,
    LNSTAB__KEY_WIDTH,
    LNSTAB__KEY_FFN_WIDTH,
    LNSTAB__KEY_HEADS,
    LNSTAB__KEY_KV_HEADS,
    LNSTAB__KEY_VOCAB,
    LNSTAB__KEY_MAX_BATCH,
    LNSTAB__KEY_MAX_TOKENS,
    LNSTAB__KEY_DTYPE,
    LNSTAB__KEY_NORM,
    LNSTAB__KEY_EPS,
    LNSTAB__KEY_NORM_IN,
    LNSTAB__KEY_NORM_OUT,
    LNSTAB__KEY_NORM_RES,
    LNSTAB__KEY_FINAL_NORM,
    LNSTAB__KEY_EMBED_NORM,
    LNSTAB__KEY_KAPPA,
    LNSTAB__KEY_ALPHA,
    LNSTAB__KEY_BETA,
    LNSTAB__KEY_GAIN_QK,
    LNSTAB__KEY_GAIN_V,
    LNSTAB__KEY_GAIN_O,
    LNSTAB__KEY_GAIN_W1,
    LNSTAB__KEY_GAIN_W2,
    LNSTAB__KEY_MIX_FRACTION,
    LNSTAB__KEY_INIT,
    LNSTAB__KEY_HEAD_INIT,
    LNSTAB__KEY_EMBED_INIT,
    LNSTAB__KEY_GAIN_EMBED,
    LNSTAB__KEY_BIAS,
    LNSTAB__KEY_OUT_PROJ,
    LNSTAB__KEY_CAUSAL,
    LNSTAB__KEY_QK_NORM,
    LNSTAB__KEY_SOFT_CAP,
    LNSTAB__KEY_ACTIVATION,
    LNSTAB__KEY_GATED,
    LNSTAB__KEY_INPUT,
    LNSTAB__KEY_EMBED_SCALE,
    LNSTAB__KEY_POSITIONS,
    LNSTAB__KEY_ROTARY_BASE,
    LNSTAB__KEY_HEAD,
    LNSTAB__KEY_IGNORE_INDEX,
    LNSTAB__KEY_LABEL_SMOOTHING,
    LNSTAB__KEY_GRADIENTS,
    LNSTAB__KEY_GRADIENTS_OF,
    LNSTAB__KEY_GRADIENTS_FROM,
    LNSTAB__KEY_KEEP_STATES,
    LNSTAB__KEY_RECOMPUTE,
    LNSTAB__KEY_KRYLOV,
    LNSTAB__KEY_THREADS,
    LNSTAB__KEY_SPLIT_PRODUCTS,
    LNSTAB__KEYS
};

struct lnstab__key {
    const char *name, *alias;
    enum lnstab__key_type type;
    int64_t integer_min, integer_max, integer_default; /* of a choice: the place in its list */
    double number_min, number_max, number_default;
    const char *range;        /* of a choice: its list, blank between the words */
    const char *default_text; /* says so where the default follows another key */
    const char *help;
};

const struct lnstab__key *lnstab__key_at(int id);

/* By name or alias; -1 if there is none. */
int lnstab__key_find(const char *name, size_t length);

const char *lnstab__key_type_name(enum lnstab__key_type type);

/* The place of a word in a choice's list, -1 if it is not there; and the word at a place. The placement
 * key also takes the aliases of the placement table. */
int lnstab__choice_find(const struct lnstab__key *key, const char *word, size_t length);
struct lnstab__word lnstab__choice_word(const struct lnstab__key *key, int64_t place);

#endif
