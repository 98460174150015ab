#include "model/config.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/number.h"
#include "model/preset.h"
#include "model/rule_text.h"

void lnstab__config_reset(lnstab_config *c) {
    for (int id = 0; id < LNSTAB__KEYS; ++id) {
        const struct lnstab__key *key = lnstab__key_at(id);
        c->values[id] = (struct lnstab__value){.integer = key->integer_default,
                                               .rule = {.factor = key->number_default}};
    }
}

static int32_t find_key(lnstab_config *c, const char *name, size_t length, int *id) {
    const struct lnstab__word word = {name, length};
    *id = lnstab__key_find(name, length);
    return *id >= 0
               ? LNSTAB_OK
               : lnstab__fail(&c->message, LNSTAB_ERROR_NAME, "no key '%.*s'", LNSTAB__SHOWN(word));
}

static int32_t find_typed_key(lnstab_config *c, const char *name, enum lnstab__key_type type,
                              int *id) {
    int32_t status = find_key(c, name, strlen(name), id);
    if (status == LNSTAB_OK && lnstab__key_at(*id)->type != type) {
        return lnstab__fail(&c->message, LNSTAB_ERROR_ARGUMENT, "%s is of type %s, not %s",
                            lnstab__key_at(*id)->name,
                            lnstab__key_type_name(lnstab__key_at(*id)->type),
                            lnstab__key_type_name(type));
    }
    return status;
}

static int32_t store_integer(lnstab_config *c, int id, int64_t value, struct lnstab__value *out) {
    const struct lnstab__key *key = lnstab__key_at(id);
    if (value < key->integer_min || value > key->integer_max) {
        return lnstab__fail(&c->message, LNSTAB_ERROR_ARGUMENT, "%s %" PRId64 " is outside %s",
                            key->name, value, key->range);
    }
    *out = (struct lnstab__value){.is_set = 1, .integer = value};
    return LNSTAB_OK;
}

static int32_t store_number(lnstab_config *c, int id, double value, struct lnstab__value *out) {
    const struct lnstab__key *key = lnstab__key_at(id);
    char text[LNSTAB__NUMBER_ROOM];
    if (!(value >= key->number_min && value <= key->number_max)) {
        return lnstab__fail(&c->message, LNSTAB_ERROR_ARGUMENT, "%s %s is outside %s", key->name,
                            lnstab__number_format(text, value), key->range);
    }
    *out = (struct lnstab__value){.is_set = 1, .rule = {.factor = value}};
    return LNSTAB_OK;
}

static int32_t store_rule(lnstab_config *c, int id, struct lnstab__rule rule,
                          struct lnstab__value *out) {
    if (!isfinite(rule.factor) || !isfinite(rule.depth_power) || !isfinite(rule.layer_power)) {
        return lnstab__fail(&c->message, LNSTAB_ERROR_ARGUMENT, "%s wants finite numbers",
                            lnstab__key_at(id)->name);
    }
    *out = (struct lnstab__value){.is_set = 1, .rule = rule};
    return LNSTAB_OK;
}

static int32_t store_choice(lnstab_config *c, int id, struct lnstab__word word,
                            struct lnstab__value *out) {
    const struct lnstab__key *key = lnstab__key_at(id);
    int place = lnstab__choice_find(key, word.at, word.length);
    const char *meanings = id == LNSTAB__KEY_PLACEMENT && place < 0
                               ? lnstab__placement_ambiguity(word.at, word.length)
                               : NULL;
    if (meanings) {
        return lnstab__fail(&c->message, LNSTAB_ERROR_NAME, "placement '%.*s' could mean %s",
                            LNSTAB__SHOWN(word), meanings);
    }
    if (place < 0) {
        return lnstab__fail(&c->message, LNSTAB_ERROR_NAME, "%s '%.*s' is not one of: %s",
                            key->name, LNSTAB__SHOWN(word), key->range);
    }
    *out = (struct lnstab__value){.is_set = 1, .integer = place};
    return LNSTAB_OK;
}

static int32_t store_text(lnstab_config *c, int id, struct lnstab__word text,
                          struct lnstab__value *out) {
    const struct lnstab__key *key = lnstab__key_at(id);
    int64_t integer;
    double number;
    struct lnstab__rule rule;
    if (key->type == LNSTAB__CHOICE) {
        return store_choice(c, id, text, out);
    }
    if (key->type == LNSTAB__INTEGER && lnstab__integer_parse(text.at, text.length, &integer)) {
        return store_integer(c, id, integer, out);
    }
    if (key->type == LNSTAB__NUMBER && lnstab__number_parse(text.at, text.length, &number)) {
        return store_number(c, id, number, out);
    }
    if (key->type == LNSTAB__RULE && lnstab__rule_parse(text, &rule)) {
        return store_rule(c, id, rule, out);
    }
    return lnstab__fail(&c->message, LNSTAB_ERROR_ARGUMENT, "%s '%.*s' is not %s", key->name,
                        LNSTAB__SHOWN(text),
                        key->type == LNSTAB__INTEGER  ? "an integer"
                        : key->type == LNSTAB__NUMBER ? "a number"
                                                      : "a rule c*L^p*l^q");
}

static int32_t assign_word(lnstab_config *c, struct lnstab__word word,
                           struct lnstab__value *values) {
    struct lnstab__word name, text;
    if (!lnstab__text_split(word, '=', &name, &text)) {
        return lnstab__fail(&c->message, LNSTAB_ERROR_ARGUMENT, "'%.*s' is not key=value",
                            LNSTAB__SHOWN(word));
    }
    int id;
    int32_t status = find_key(c, name.at, name.length, &id);
    return status == LNSTAB_OK ? store_text(c, id, text, &values[id]) : status;
}

int32_t lnstab__config_assign(lnstab_config *c, const char *assignments) {
    struct lnstab__value values[LNSTAB__KEYS];
    memcpy(values, c->values, sizeof values);
    for (struct lnstab__word w = lnstab__text_next_word(&assignments); w.length;
         w = lnstab__text_next_word(&assignments)) {
        int32_t status = assign_word(c, w, values);
        if (status != LNSTAB_OK) {
            return status;
        }
    }
    memcpy(c->values, values, sizeof values);
    return lnstab__succeed(&c->message);
}

void lnstab__config_with_preset(const lnstab_config *c, struct lnstab__value values[LNSTAB__KEYS]) {
    lnstab_config preset;
    lnstab__config_reset(&preset);
    const int place = (int)c->values[LNSTAB__KEY_PRESET].integer;
    (void)lnstab__config_assign(&preset,
                                lnstab__preset_at(place)->assignments); /* tested to be good */
    for (int id = 0; id < LNSTAB__KEYS; ++id) {
        values[id] = c->values[id].is_set ? c->values[id] : preset.values[id];
    }
}

static int32_t finish(lnstab_config *c, int32_t status) {
    return status == LNSTAB_OK ? lnstab__succeed(&c->message) : status;
}

int32_t lnstab__config_set_integer(lnstab_config *c, const char *name, int64_t value) {
    int id;
    int32_t status = find_typed_key(c, name, LNSTAB__INTEGER, &id);
    return status == LNSTAB_OK ? finish(c, store_integer(c, id, value, &c->values[id])) : status;
}

int32_t lnstab__config_set_number(lnstab_config *c, const char *name, double value) {
    int id;
    int32_t status = find_typed_key(c, name, LNSTAB__NUMBER, &id);
    return status == LNSTAB_OK ? finish(c, store_number(c, id, value, &c->values[id])) : status;
}

int32_t lnstab__config_set_rule(lnstab_config *c, const char *name, struct lnstab__rule rule) {
    int id;
    int32_t status = find_typed_key(c, name, LNSTAB__RULE, &id);
    return status == LNSTAB_OK ? finish(c, store_rule(c, id, rule, &c->values[id])) : status;
}

int32_t lnstab__config_get(lnstab_config *c, const char *name, enum lnstab__key_type type,
                           struct lnstab__value *out) {
    int id;
    int32_t status = find_typed_key(c, name, type, &id);
    return status == LNSTAB_OK ? finish(c, lnstab__config_value(c, id, out)) : status;
}

void lnstab__value_write(struct lnstab__writer *w, const struct lnstab__key *key,
                         const struct lnstab__value *value) {
    struct lnstab__word word;
    switch (key->type) {
    case LNSTAB__INTEGER:
        lnstab__write(w, "%" PRId64, value->integer);
        break;
    case LNSTAB__NUMBER:
        lnstab__write_number(w, value->rule.factor);
        break;
    case LNSTAB__CHOICE:
        word = lnstab__choice_word(key, value->integer);
        lnstab__write(w, "%.*s", (int)word.length, word.at);
        break;
    case LNSTAB__RULE:
        lnstab__rule_write(w, value->rule);
        break;
    }
}

int32_t lnstab__config_write(lnstab_config *c, const char *name, struct lnstab__writer *w) {
    struct lnstab__value value;
    int id;
    int32_t status = find_key(c, name, strlen(name), &id);
    status = status == LNSTAB_OK ? lnstab__config_value(c, id, &value) : status;
    if (status == LNSTAB_OK) {
        lnstab__value_write(w, lnstab__key_at(id), &value);
    }
    return status;
}
