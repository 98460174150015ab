#include "model/spec.h"

#include <inttypes.h>
#include <math.h>

/* The member of a row that a key overrides, NULL if it is none. */
static int *norm_member(struct lnstab__placement_row *row, int id) {
    return id == LNSTAB__KEY_NORM_IN    ? &row->norm_in
           : id == LNSTAB__KEY_NORM_OUT ? &row->norm_out
           : id == LNSTAB__KEY_NORM_RES ? &row->norm_res
                                        : NULL;
}

static struct lnstab__rule *rule_member(struct lnstab__placement_row *row, int id) {
    return id == LNSTAB__KEY_KAPPA   ? &row->kappa
           : id == LNSTAB__KEY_ALPHA ? &row->alpha
           : id == LNSTAB__KEY_BETA  ? &row->beta
           : id >= LNSTAB__KEY_GAIN_QK && id <= LNSTAB__KEY_GAIN_W2
               ? &row->gain[id - LNSTAB__KEY_GAIN_QK]
               : NULL;
}

static const struct lnstab__placement *placement_of(const lnstab_config *c) {
    return lnstab__placement_at((int)c->values[LNSTAB__KEY_PLACEMENT].integer);
}

/* The placement's row with what the configuration overrides. */
static struct lnstab__placement_row row_of(const lnstab_config *c, int which) {
    struct lnstab__placement_row row = placement_of(c)->rows[which];
    for (int id = 0; id < LNSTAB__KEYS; ++id) {
        const struct lnstab__value *value = &c->values[id];
        int *norm = value->is_set ? norm_member(&row, id) : NULL;
        struct lnstab__rule *rule = value->is_set ? rule_member(&row, id) : NULL;
        if (norm && *norm != (int)value->integer) {
            *norm = (int)value->integer;
            row.states = ""; /* no longer the placement that the paper names states of */
        }
        if (rule) {
            *rule = value->rule;
        }
    }
    return row;
}

static int rules_equal(struct lnstab__rule a, struct lnstab__rule b) {
    return a.factor == b.factor && a.depth_power == b.depth_power && a.layer_power == b.layer_power;
}

/* A key that the placement's rows answer for. */
static int32_t row_value(lnstab_config *c, int id, struct lnstab__value *out) {
    struct lnstab__placement_row first = row_of(c, 0), second = row_of(c, 1);
    int *norm = norm_member(&first, id);
    struct lnstab__rule *rule = rule_member(&first, id);
    int alike =
        norm ? *norm == *norm_member(&second, id) : rules_equal(*rule, *rule_member(&second, id));
    if (!alike) {
        return lnstab__fail(&c->message, LNSTAB_ERROR_UNAVAILABLE,
                            "%s differs between the layers of placement=%s",
                            lnstab__key_at(id)->name, placement_of(c)->name);
    }
    *out = norm ? (struct lnstab__value){.integer = *norm} : (struct lnstab__value){.rule = *rule};
    return LNSTAB_OK;
}

int32_t lnstab__config_value(lnstab_config *c, int id, struct lnstab__value *out) {
    struct lnstab__placement_row row = {0};
    if (!c->values[id].is_set && (norm_member(&row, id) || rule_member(&row, id))) {
        return row_value(c, id, out);
    }
    *out = c->values[id];
    if (!out->is_set && id == LNSTAB__KEY_FFN_WIDTH) {
        out->integer = 4 * c->values[LNSTAB__KEY_WIDTH].integer;
    } else if (!out->is_set && id == LNSTAB__KEY_FINAL_NORM) {
        out->integer = placement_of(c)->final_norm;
    }
    return LNSTAB_OK;
}

static int64_t integer_of(lnstab_config *c, int id) {
    struct lnstab__value value = {0};
    (void)lnstab__config_value(c, id, &value); /* fails only for what rows answer for */
    return value.integer;
}

/* A rule is monotone in l, so that its ends tell of every layer. */
static int32_t check_rules(lnstab_config *c, struct lnstab__spec *s) {
    for (int end = 0; end < 2; ++end) {
        const int64_t l = end ? s->layers : 1;
        for (int id = 0; id < LNSTAB__KEYS; ++id) {
            struct lnstab__rule *rule = rule_member(&s->rows[l > s->switch_layer], id);
            if (rule && !isfinite(lnstab__spec_value(s, *rule, l))) {
                return lnstab__fail(&c->message, LNSTAB_ERROR_ARGUMENT,
                                    "%s is not finite in layer %" PRId64, lnstab__key_at(id)->name,
                                    l);
            }
        }
    }
    return LNSTAB_OK;
}

static int32_t check(lnstab_config *c, struct lnstab__spec *s) {
    if (s->width % s->heads != 0) {
        return lnstab__fail(&c->message, LNSTAB_ERROR_ARGUMENT,
                            "heads %" PRId64 " does not divide width %" PRId64, s->heads, s->width);
    }
    if (s->max_batch > INT32_MAX / s->max_tokens) {
        return lnstab__fail(&c->message, LNSTAB_ERROR_ARGUMENT,
                            "max_batch %" PRId64 " x max_tokens %" PRId64 " is more than %" PRId32
                            " rows",
                            s->max_batch, s->max_tokens, INT32_MAX);
    }
    return check_rules(c, s);
}

/* floor(a L), not fooled by the rounding of a product such as 0.29 x 100. */
static int64_t switch_layer(double fraction, int64_t layers) {
    return (int64_t)floor(fraction * (double)layers + 1e-9);
}

int32_t lnstab__spec_resolve(lnstab_config *c, struct lnstab__spec *out) {
    *out = (struct lnstab__spec){
        .layers = integer_of(c, LNSTAB__KEY_LAYERS),
        .width = integer_of(c, LNSTAB__KEY_WIDTH),
        .ffn_width = integer_of(c, LNSTAB__KEY_FFN_WIDTH),
        .heads = integer_of(c, LNSTAB__KEY_HEADS),
        .vocab = integer_of(c, LNSTAB__KEY_VOCAB),
        .max_batch = integer_of(c, LNSTAB__KEY_MAX_BATCH),
        .max_tokens = integer_of(c, LNSTAB__KEY_MAX_TOKENS),
        .ignore_index = integer_of(c, LNSTAB__KEY_IGNORE_INDEX),
        .dtype = integer_of(c, LNSTAB__KEY_DTYPE) == 0 ? LNSTAB_FLOAT32 : LNSTAB_FLOAT64,
        .norm = integer_of(c, LNSTAB__KEY_NORM) == 0 ? LNSTAB__NORM_LAYER : LNSTAB__NORM_RMS,
        .eps = c->values[LNSTAB__KEY_EPS].rule.factor,
        .placement = placement_of(c),
        .rows = {row_of(c, 0), row_of(c, 1)},
        .switch_layer = switch_layer(c->values[LNSTAB__KEY_MIX_FRACTION].rule.factor,
                                     c->values[LNSTAB__KEY_LAYERS].integer),
        .final_norm = (int)integer_of(c, LNSTAB__KEY_FINAL_NORM),
        .embed_norm = (int)integer_of(c, LNSTAB__KEY_EMBED_NORM),
        .init = (int)integer_of(c, LNSTAB__KEY_INIT),
        .head_init = (int)integer_of(c, LNSTAB__KEY_HEAD_INIT),
        .bias = (int)integer_of(c, LNSTAB__KEY_BIAS),
        .out_proj = (int)integer_of(c, LNSTAB__KEY_OUT_PROJ),
        .causal = (int)integer_of(c, LNSTAB__KEY_CAUSAL),
        .embedded = integer_of(c, LNSTAB__KEY_INPUT) == 1,
        .head = integer_of(c, LNSTAB__KEY_HEAD) == 1,
        .gradients = (int)integer_of(c, LNSTAB__KEY_GRADIENTS),
        .keep_states = (int)integer_of(c, LNSTAB__KEY_KEEP_STATES),
    };
    return check(c, out);
}

const struct lnstab__placement_row *lnstab__spec_row(const struct lnstab__spec *s, int64_t l) {
    return &s->rows[l <= s->switch_layer ? 0 : 1];
}

double lnstab__spec_value(const struct lnstab__spec *s, struct lnstab__rule rule, int64_t l) {
    return lnstab__rule_value(rule, s->layers, l);
}
