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

static const struct lnstab__placement *placement_of(const struct lnstab__value *values) {
    return lnstab__placement_at((int)values[LNSTAB__KEY_PLACEMENT].integer);
}

/* The placement's row with what the configuration overrides. */
static struct lnstab__placement_row row_of(const struct lnstab__value *values, int which) {
    struct lnstab__placement_row row = placement_of(values)->rows[which];
    for (int id = 0; id < LNSTAB__KEYS; ++id) {
        int *norm = values[id].is_set ? norm_member(&row, id) : NULL;
        struct lnstab__rule *rule = values[id].is_set ? rule_member(&row, id) : NULL;
        if (norm && *norm != (int)values[id].integer) {
            *norm = (int)values[id].integer;
            row.states = ""; /* no longer the placement that the paper names states of */
        }
        if (rule) {
            *rule = values[id].rule;
        }
    }
    return row;
}

static int rules_equal(struct lnstab__rule a, struct lnstab__rule b) {
    return a.factor == b.factor && a.depth_power == b.depth_power && a.layer_power == b.layer_power;
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

/* A key that the placement's rows answer for, those of them that layers follow. */
static int32_t row_value(lnstab_config *c, const struct lnstab__value *values, int id,
                         struct lnstab__value *out) {
    const int64_t last_of_first = switch_layer(values);
    struct lnstab__placement_row first = row_of(values, last_of_first >= 1 ? 0 : 1);
    struct lnstab__placement_row second =
        row_of(values, last_of_first < integer_of(values, LNSTAB__KEY_LAYERS) ? 1 : 0);
    int *norm = norm_member(&first, id);
    struct lnstab__rule *rule = rule_member(&first, id);
    int alike =
        norm ? *norm == *norm_member(&second, id) : rules_equal(*rule, *rule_member(&second, id));
    if (!alike) {
        return lnstab__fail(&c->message, LNSTAB_ERROR_UNAVAILABLE,
                            "%s differs between the layers of placement=%s",
                            lnstab__key_at(id)->name, placement_of(values)->name);
    }
    *out = norm ? (struct lnstab__value){.integer = *norm} : (struct lnstab__value){.rule = *rule};
    return LNSTAB_OK;
}

int lnstab__spec_is_row_key(int id) {
    struct lnstab__placement_row row = {0};
    return norm_member(&row, id) != NULL || rule_member(&row, id) != NULL;
}

int32_t lnstab__config_value(lnstab_config *c, int id, struct lnstab__value *out) {
    struct lnstab__value values[LNSTAB__KEYS];
    lnstab__config_with_preset(c, values);
    if (!values[id].is_set && lnstab__spec_is_row_key(id)) {
        return row_value(c, values, id, out);
    }
    *out = values[id];
    out->integer = integer_of(values, id);
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

/* What one key asks for and another does not give. */
static int32_t check_together(lnstab_config *c, const struct lnstab__spec *s) {
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
    if (s->recompute != LNSTAB__RECOMPUTE_NONE && s->keep_states > 0) {
        return lnstab__fail(&c->message, LNSTAB_ERROR_ARGUMENT,
                            "keep_states=%d keeps what recompute=%s drops", s->keep_states,
                            s->recompute == LNSTAB__RECOMPUTE_BLOCKS ? "blocks" : "attention");
    }
    return LNSTAB_OK;
}

static int32_t check_rule(lnstab_config *c, const struct lnstab__spec *s, int id,
                          const struct lnstab__rule *rule, int64_t l) {
    return !rule || isfinite(lnstab__spec_value(s, *rule, l))
               ? LNSTAB_OK
               : lnstab__fail(&c->message, LNSTAB_ERROR_ARGUMENT,
                              "%s is not finite in layer %" PRId64, lnstab__key_at(id)->name, l);
}

/* A rule is monotone in l, so that its ends tell of every layer. */
static int32_t check_rules(lnstab_config *c, struct lnstab__spec *s) {
    int32_t status = check_rule(c, s, LNSTAB__KEY_GAIN_EMBED, &s->gain_embed, 1);
    for (int id = 0; status == LNSTAB_OK && id < LNSTAB__KEYS; ++id) {
        status = check_rule(c, s, id, rule_member(&s->rows[s->switch_layer < 1], id), 1);
        status = status
                     ? status
                     : check_rule(c, s, id, rule_member(&s->rows[s->switch_layer < s->layers], id),
                                  s->layers);
    }
    return status;
}

static int32_t check(lnstab_config *c, struct lnstab__spec *s) {
    int32_t status = check_divides(c, "heads", s->heads, "width", s->width);
    status = status ? status : check_divides(c, "kv_heads", s->kv_heads, "heads", s->heads);
    status = status ? status : check_rows(c, s);
    status = status ? status : check_rules(c, s);
    return status ? status : check_together(c, s);
}

int32_t lnstab__spec_resolve(lnstab_config *c, struct lnstab__spec *out) {
    struct lnstab__value v[LNSTAB__KEYS];
    lnstab__config_with_preset(c, v);
    *out = (struct lnstab__spec){
        .layers = integer_of(v, LNSTAB__KEY_LAYERS),
        .width = integer_of(v, LNSTAB__KEY_WIDTH),
        .ffn_width = integer_of(v, LNSTAB__KEY_FFN_WIDTH),
        .heads = integer_of(v, LNSTAB__KEY_HEADS),
        .kv_heads = integer_of(v, LNSTAB__KEY_KV_HEADS),
        .vocab = integer_of(v, LNSTAB__KEY_VOCAB),
        .max_batch = integer_of(v, LNSTAB__KEY_MAX_BATCH),
        .max_tokens = integer_of(v, LNSTAB__KEY_MAX_TOKENS),
        .ignore_index = integer_of(v, LNSTAB__KEY_IGNORE_INDEX),
        .dtype = integer_of(v, LNSTAB__KEY_DTYPE) == 0 ? LNSTAB_FLOAT32 : LNSTAB_FLOAT64,
        .norm = integer_of(v, LNSTAB__KEY_NORM) == 0 ? LNSTAB__NORM_LAYER : LNSTAB__NORM_RMS,
        .eps = number_of(v, LNSTAB__KEY_EPS),
        .soft_cap = number_of(v, LNSTAB__KEY_SOFT_CAP),
        .embed_scale = number_of(v, LNSTAB__KEY_EMBED_SCALE),
        .rotary_base = number_of(v, LNSTAB__KEY_ROTARY_BASE),
        .label_smoothing = number_of(v, LNSTAB__KEY_LABEL_SMOOTHING),
        .placement = placement_of(v),
        .rows = {row_of(v, 0), row_of(v, 1)},
        .gain_embed = v[LNSTAB__KEY_GAIN_EMBED].rule,
        .switch_layer = switch_layer(v),
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
        .keep_states = (int)integer_of(v, LNSTAB__KEY_KEEP_STATES),
        .qk_norm = (enum lnstab__qk_norm)integer_of(v, LNSTAB__KEY_QK_NORM),
        .activation = (enum lnstab__activation)integer_of(v, LNSTAB__KEY_ACTIVATION),
        .positions = (enum lnstab__positions)integer_of(v, LNSTAB__KEY_POSITIONS),
        .head = (enum lnstab__head)integer_of(v, LNSTAB__KEY_HEAD),
        .recompute = (enum lnstab__recompute)integer_of(v, LNSTAB__KEY_RECOMPUTE),
    };
    for (int id = 0; id < LNSTAB__KEYS; ++id) {
        out->values[id] = v[id];
        out->values[id].integer = integer_of(v, id);
    }
    return check(c, out);
}

const struct lnstab__placement_row *lnstab__spec_row(const struct lnstab__spec *s, int64_t l) {
    return &s->rows[l <= s->switch_layer ? 0 : 1];
}

double lnstab__spec_value(const struct lnstab__spec *s, struct lnstab__rule rule, int64_t l) {
    return lnstab__rule_value(rule, s->layers, l);
}

static int norms_equal(const struct lnstab__placement_row *a,
                       const struct lnstab__placement_row *b) {
    return a->norm_in == b->norm_in && a->norm_out == b->norm_out && a->norm_res == b->norm_res;
}

const char *lnstab__spec_formula(const struct lnstab__spec *s) {
    const struct lnstab__placement *p = s->placement;
    const int as_placed = norms_equal(&s->rows[0], &p->rows[0]) &&
                          norms_equal(&s->rows[1], &p->rows[1]) && s->final_norm == p->final_norm;
    return as_placed ? p->formula : lnstab__placement_general_formula();
}
