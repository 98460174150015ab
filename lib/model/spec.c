#include "model/spec.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "model/row_keys.h"

static const struct lnstab__placement *placement_of(const struct lnstab__value *values) {
    return lnstab__placement_at((int)values[LNSTAB__KEY_PLACEMENT].integer);
}

/* The placement's row with what the configuration overrides in every sublayer. */
static struct lnstab__placement_row row_of(const struct lnstab__value *values, int which) {
    struct lnstab__placement_row row = placement_of(values)->rows[which];
    for (int id = 0; id < LNSTAB__KEYS; ++id) {
        if (values[id].is_set && lnstab__is_row_key(id)) {
            lnstab__row_set(&row, id, &values[id]);
        }
    }
    return row;
}

/* An integer key, with the defaults that follow other keys. */
static int64_t integer_of(const struct lnstab__value *values, int id) {
    return values[id].is_set              ? values[id].integer
           : id == LNSTAB__KEY_FFN_WIDTH  ? 4 * values[LNSTAB__KEY_WIDTH].integer
           : id == LNSTAB__KEY_KV_HEADS   ? values[LNSTAB__KEY_HEADS].integer
           : id == LNSTAB__KEY_FINAL_NORM ? placement_of(values)->final_norm
                                          : values[id].integer;
}

static double number_of(const struct lnstab__value *values, int id) {
    return values[id].rule.factor;
}

/* floor(a L), not fooled by the rounding of a product such as 0.29 x 100. */
static int64_t switch_layer(const struct lnstab__value *values) {
    const double fraction = number_of(values, LNSTAB__KEY_MIX_FRACTION);
    return (int64_t)floor(fraction * (double)integer_of(values, LNSTAB__KEY_LAYERS) + 1e-9);
}

/* What the rows of a specification come from. */
static void place(const lnstab_config *c, const struct lnstab__value *values,
                  struct lnstab__spec *out) {
    out->layers = integer_of(values, LNSTAB__KEY_LAYERS);
    out->placement = placement_of(values);
    out->rows[0] = row_of(values, 0);
    out->rows[1] = row_of(values, 1);
    out->switch_layer = switch_layer(values);
    out->scoped_count = c->set.scoped_count;
    memcpy(out->scoped, c->set.scoped, sizeof out->scoped);
}

static int32_t check_scope(lnstab_config *c, int64_t layers, struct lnstab__scope scope, int id) {
    const int64_t last = scope.first > scope.last ? scope.first : scope.last;
    return last <= layers ? LNSTAB_OK
                          : lnstab__fail(&c->message, LNSTAB_ERROR_ARGUMENT,
                                         "layer.%" PRId64 " of key %s is outside 1..%" PRId64, last,
                                         lnstab__key_at(id)->name, layers);
}

/* Rows hold a key's rule, so between two changes the value is that of the first layer. */
static int32_t row_value(lnstab_config *c, const struct lnstab__spec *s,
                         struct lnstab__key_name key, struct lnstab__value *out) {
    const int64_t first = lnstab__scope_end(key.scope.first, s->layers);
    const int64_t last = lnstab__scope_end(key.scope.last, s->layers);
    struct lnstab__value found = {.is_set = 0};
    for (int64_t l = first; l <= last; l = lnstab__spec_next_change(s, l)) {
        for (int64_t k = 2 * l - 2; k < 2 * l; ++k) {
            const struct lnstab__placement_row row = lnstab__spec_row(s, k);
            struct lnstab__value value = lnstab__row_get(&row, key.id);
            if (!lnstab__scope_has(key.scope, s->layers, k)) {
                continue;
            }
            if (found.is_set && !lnstab__row_values_equal(found, value)) {
                return lnstab__fail(&c->message, LNSTAB_ERROR_UNAVAILABLE,
                                    "%s differs between the sublayers of placement=%s",
                                    lnstab__key_at(key.id)->name, s->placement->name);
            }
            found = value;
            found.is_set = 1;
        }
    }
    *out = found;
    return LNSTAB_OK;
}

int32_t lnstab__config_value(lnstab_config *c, struct lnstab__key_name key,
                             struct lnstab__value *out) {
    struct lnstab__value values[LNSTAB__KEYS];
    lnstab__config_with_preset(c, values);
    if (lnstab__is_row_key(key.id)) {
        struct lnstab__spec s;
        place(c, values, &s);
        int32_t status = check_scope(c, s.layers, key.scope, key.id);
        return status == LNSTAB_OK ? row_value(c, &s, key, out) : status;
    }
    *out = values[key.id];
    out->integer = integer_of(values, key.id);
    return LNSTAB_OK;
}

static int32_t check_divides(lnstab_config *c, const char *name, int64_t value,
                             const char *whole_name, int64_t whole) {
    return whole % value == 0 ? LNSTAB_OK
                              : lnstab__fail(&c->message, LNSTAB_ERROR_ARGUMENT,
                                             "%s %" PRId64 " does not divide %s %" PRId64, name,
                                             value, whole_name, whole);
}

static int32_t check_rows(lnstab_config *c, const struct lnstab__spec *s) {
    return s->max_batch <= INT32_MAX / s->max_tokens
               ? LNSTAB_OK
               : lnstab__fail(&c->message, LNSTAB_ERROR_ARGUMENT,
                              "max_batch %" PRId64 " x max_tokens %" PRId64 " is more than %" PRId32
                              " rows",
                              s->max_batch, s->max_tokens, INT32_MAX);
}

/* Bases are products of matrices, whose sides fit an int. */
static int32_t check_krylov(lnstab_config *c, const struct lnstab__spec *s) {
    if (s->krylov == 1) {
        return lnstab__fail(&c->message, LNSTAB_ERROR_ARGUMENT,
                            "krylov 1 is no basis: 0, or 2 and more");
    }
    if (s->krylov > 0 && s->max_batch * s->max_tokens > INT32_MAX / s->width) {
        return lnstab__fail(&c->message, LNSTAB_ERROR_ARGUMENT,
                            "krylov %" PRId64 " with max_batch %" PRId64 " x max_tokens %" PRId64
                            " x width %" PRId64 " has vectors of more than %" PRId32 " entries",
                            s->krylov, s->max_batch, s->max_tokens, s->width, INT32_MAX);
    }
    return LNSTAB_OK;
}

/* What one key asks for and another does not give. */
static int32_t check_together(lnstab_config *c, const struct lnstab__spec *s) {
    if (s->dtype != LNSTAB_FLOAT32 && s->dtype != LNSTAB_FLOAT64) {
        return lnstab__fail(&c->message, LNSTAB_ERROR_ARGUMENT,
                            "dtype %s is for norms of a host's rows only: a model is float32 or "
                            "float64",
                            s->dtype == LNSTAB_BFLOAT16 ? "bfloat16" : "float16");
    }
    if (s->positions == LNSTAB__ROTARY && s->width / s->heads % 2 != 0) {
        return lnstab__fail(&c->message, LNSTAB_ERROR_ARGUMENT,
                            "positions=rotary needs an even head width, width %" PRId64
                            " / heads %" PRId64 " is %" PRId64,
                            s->width, s->heads, s->width / s->heads);
    }
    if (s->head == LNSTAB__HEAD_TIED && s->embedded) {
        return lnstab__fail(&c->message, LNSTAB_ERROR_ARGUMENT,
                            "head=tied needs the table of input=tokens");
    }
    if (s->gradients_from > s->layers) {
        return lnstab__fail(&c->message, LNSTAB_ERROR_ARGUMENT,
                            "gradients_from %" PRId64 " is more than layers %" PRId64,
                            s->gradients_from, s->layers);
    }
    if (s->recompute != LNSTAB__RECOMPUTE_NONE && s->keep_states > 0) {
        const struct lnstab__word word =
            lnstab__choice_word(lnstab__key_at(LNSTAB__KEY_RECOMPUTE), s->recompute);
        return lnstab__fail(&c->message, LNSTAB_ERROR_ARGUMENT,
                            "keep_states=%d keeps what recompute=%.*s drops", s->keep_states,
                            (int)word.length, word.at);
    }
    return LNSTAB_OK;
}

static int32_t check_rule(lnstab_config *c, const struct lnstab__spec *s, int id,
                          struct lnstab__rule rule, int64_t l) {
    return isfinite(lnstab__spec_value(s, rule, l))
               ? LNSTAB_OK
               : lnstab__fail(&c->message, LNSTAB_ERROR_ARGUMENT,
                              "%s is not finite in layer %" PRId64, lnstab__key_at(id)->name, l);
}

static int32_t check_row(lnstab_config *c, const struct lnstab__spec *s, int64_t k, int64_t l) {
    const struct lnstab__placement_row row = lnstab__spec_row(s, k);
    int32_t status = LNSTAB_OK;
    for (int id = 0; status == LNSTAB_OK && id < LNSTAB__KEYS; ++id) {
        if (lnstab__is_row_key(id)) {
            status = check_rule(c, s, id, lnstab__row_get(&row, id).rule, l);
        }
    }
    return status;
}

/* A rule is monotone in l, so that the ends of where it holds tell of every layer there. */
static int32_t check_rules(lnstab_config *c, struct lnstab__spec *s) {
    int32_t status = check_rule(c, s, LNSTAB__KEY_GAIN_EMBED, s->gain_embed, 1);
    for (int64_t l = 1, next; status == LNSTAB_OK && l <= s->layers; l = next) {
        next = lnstab__spec_next_change(s, l);
        for (int64_t k = 2 * l - 2; status == LNSTAB_OK && k < 2 * l; ++k) {
            status = check_row(c, s, k, l);
            status = status == LNSTAB_OK ? check_row(c, s, k, next - 1) : status;
        }
    }
    return status;
}

static int32_t check_scopes(lnstab_config *c, const struct lnstab__spec *s) {
    int32_t status = LNSTAB_OK;
    for (int i = 0; status == LNSTAB_OK && i < s->scoped_count; ++i) {
        status = check_scope(c, s->layers, s->scoped[i].scope, s->scoped[i].id);
    }
    return status;
}

static int32_t check(lnstab_config *c, struct lnstab__spec *s) {
    int32_t status = check_divides(c, "heads", s->heads, "width", s->width);
    status = status ? status : check_divides(c, "kv_heads", s->kv_heads, "heads", s->heads);
    status = status ? status : check_rows(c, s);
    status = status ? status : check_scopes(c, s);
    status = status ? status : check_rules(c, s);
    status = status ? status : check_krylov(c, s);
    return status ? status : check_together(c, s);
}

int32_t lnstab__spec_resolve(lnstab_config *c, struct lnstab__spec *out) {
    struct lnstab__value v[LNSTAB__KEYS];
    lnstab__config_with_preset(c, v);
    const int32_t dtype = (int32_t)(LNSTAB_FLOAT32 + integer_of(v, LNSTAB__KEY_DTYPE));
    *out = (struct lnstab__spec){
        .width = integer_of(v, LNSTAB__KEY_WIDTH),
        .ffn_width = integer_of(v, LNSTAB__KEY_FFN_WIDTH),
        .heads = integer_of(v, LNSTAB__KEY_HEADS),
        .kv_heads = integer_of(v, LNSTAB__KEY_KV_HEADS),
        .vocab = integer_of(v, LNSTAB__KEY_VOCAB),
        .max_batch = integer_of(v, LNSTAB__KEY_MAX_BATCH),
        .max_tokens = integer_of(v, LNSTAB__KEY_MAX_TOKENS),
        .ignore_index = integer_of(v, LNSTAB__KEY_IGNORE_INDEX),
        .krylov = integer_of(v, LNSTAB__KEY_KRYLOV),
        .threads = integer_of(v, LNSTAB__KEY_THREADS),
        .dtype = dtype,
        .kernels = lnstab__kernels_find(dtype),
        .norm = integer_of(v, LNSTAB__KEY_NORM) == 0 ? LNSTAB__NORM_LAYER : LNSTAB__NORM_RMS,
        .eps = number_of(v, LNSTAB__KEY_EPS),
        .soft_cap = number_of(v, LNSTAB__KEY_SOFT_CAP),
        .embed_scale = number_of(v, LNSTAB__KEY_EMBED_SCALE),
        .rotary_base = number_of(v, LNSTAB__KEY_ROTARY_BASE),
        .label_smoothing = number_of(v, LNSTAB__KEY_LABEL_SMOOTHING),
        .gain_embed = v[LNSTAB__KEY_GAIN_EMBED].rule,
        .final_norm = (int)integer_of(v, LNSTAB__KEY_FINAL_NORM),
        .embed_norm = (int)integer_of(v, LNSTAB__KEY_EMBED_NORM),
        .init = (int)integer_of(v, LNSTAB__KEY_INIT),
        .head_init = (int)integer_of(v, LNSTAB__KEY_HEAD_INIT),
        .embed_init = (int)integer_of(v, LNSTAB__KEY_EMBED_INIT),
        .bias = (int)integer_of(v, LNSTAB__KEY_BIAS),
        .out_proj = (int)integer_of(v, LNSTAB__KEY_OUT_PROJ),
        .causal = (int)integer_of(v, LNSTAB__KEY_CAUSAL),
        .gated = (int)integer_of(v, LNSTAB__KEY_GATED),
        .embedded = integer_of(v, LNSTAB__KEY_INPUT) == 1,
        .gradients = (int)integer_of(v, LNSTAB__KEY_GRADIENTS),
        .gradients_of = (enum lnstab__gradients_of)integer_of(v, LNSTAB__KEY_GRADIENTS_OF),
        .gradients_from = integer_of(v, LNSTAB__KEY_GRADIENTS_FROM),
        .keep_states = (int)integer_of(v, LNSTAB__KEY_KEEP_STATES),
        .split_products = (int)integer_of(v, LNSTAB__KEY_SPLIT_PRODUCTS),
        .qk_norm = (enum lnstab__qk_norm)integer_of(v, LNSTAB__KEY_QK_NORM),
        .activation = (enum lnstab__activation)integer_of(v, LNSTAB__KEY_ACTIVATION),
        .positions = (enum lnstab__positions)integer_of(v, LNSTAB__KEY_POSITIONS),
        .head = (enum lnstab__head)integer_of(v, LNSTAB__KEY_HEAD),
        .recompute = (enum lnstab__recompute)integer_of(v, LNSTAB__KEY_RECOMPUTE),
    };
    place(c, v, out);
    for (int id = 0; id < LNSTAB__KEYS; ++id) {
        out->values[id] = v[id];
        out->values[id].integer = integer_of(v, id);
    }
    return check(c, out);
}

int64_t lnstab__spec_first_gradient(const struct lnstab__spec *s, int *is_w_2) {
    *is_w_2 = s->gradients_of == LNSTAB__GRADIENTS_OF_W_2;
    return *is_w_2 && s->gradients_from == 0 ? 1 : s->gradients_from;
}
