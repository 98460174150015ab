#include "model/config.h"

#include <string.h>

#include "model/preset.h"
#include "model/row_keys.h"

void lnstab__config_reset(lnstab_config *c) {
    for (int id = 0; id < LNSTAB__KEYS; ++id) {
        const struct lnstab__key *key = lnstab__key_at(id);
        c->set.values[id] = (struct lnstab__value){.integer = key->integer_default,
                                                   .rule = {.factor = key->number_default}};
    }
    c->set.scoped_count = 0;
}

static int32_t find_key(lnstab_config *c, struct lnstab__word name, struct lnstab__key_name *out) {
    struct lnstab__word key = name;
    const int cut = lnstab__scope_cut(&key, &out->scope);
    out->id = lnstab__key_find(key.at, key.length);
    out->is_scoped = cut > 0;
    if (cut < 0) {
        return lnstab__fail(&c->message, LNSTAB_ERROR_NAME,
                            "'%.*s' is not layer.N.key or layer.N-M.key of layers 1..L",
                            LNSTAB__SHOWN(name));
    }
    if (out->id < 0) {
        return lnstab__fail(&c->message, LNSTAB_ERROR_NAME, "no key '%.*s'", LNSTAB__SHOWN(name));
    }
    if (out->is_scoped && !lnstab__is_row_key(out->id)) {
        return lnstab__fail(&c->message, LNSTAB_ERROR_NAME,
                            "%s is a key of the whole model: no '%.*s'",
                            lnstab__key_at(out->id)->name, LNSTAB__SHOWN(name));
    }
    out->scope.parts &= lnstab__row_key_parts(out->id);
    if (!out->scope.parts) {
        return lnstab__fail(&c->message, LNSTAB_ERROR_NAME, "%s is a key of %s: no '%.*s'",
                            lnstab__key_at(out->id)->name,
                            lnstab__row_key_parts(out->id) == LNSTAB__ATTN ? "attn" : "ffn",
                            LNSTAB__SHOWN(name));
    }
    return LNSTAB_OK;
}

static int32_t find_typed_key(lnstab_config *c, const char *name, enum lnstab__key_type type,
                              struct lnstab__key_name *out) {
    int32_t status = find_key(c, (struct lnstab__word){name, strlen(name)}, out);
    if (status == LNSTAB_OK && lnstab__key_at(out->id)->type != type) {
        return lnstab__fail(&c->message, LNSTAB_ERROR_ARGUMENT, "%s is of type %s, not %s",
                            lnstab__key_at(out->id)->name,
                            lnstab__key_type_name(lnstab__key_at(out->id)->type),
                            lnstab__key_type_name(type));
    }
    return status;
}

/* What the new one covers can never count again. */
static int32_t keep_scoped(lnstab_config *c, struct lnstab__settings *set,
                           struct lnstab__key_name key, struct lnstab__value value) {
    int kept = 0;
    for (int i = 0; i < set->scoped_count; ++i) {
        const struct lnstab__scoped *old = &set->scoped[i];
        if (old->id != key.id || !lnstab__scope_covers(key.scope, old->scope)) {
            set->scoped[kept++] = *old;
        }
    }
    if (kept == LNSTAB__SCOPED_MAX) {
        return lnstab__fail(&c->message, LNSTAB_ERROR_CAPACITY,
                            "more than %d keys of sublayers are set", LNSTAB__SCOPED_MAX);
    }
    set->scoped[kept] = (struct lnstab__scoped){key.scope, key.id, value};
    set->scoped_count = kept + 1;
    return LNSTAB_OK;
}

static int32_t keep(lnstab_config *c, struct lnstab__settings *set, struct lnstab__key_name key,
                    struct lnstab__value value) {
    if (key.is_scoped) {
        return keep_scoped(c, set, key, value);
    }
    set->values[key.id] = value;
    return LNSTAB_OK;
}

static int32_t assign(lnstab_config *c, struct lnstab__word name, struct lnstab__word text,
                      struct lnstab__settings *set) {
    struct lnstab__key_name key;
    struct lnstab__value value;
    int32_t status = find_key(c, name, &key);
    status = status == LNSTAB_OK ? lnstab__value_parse(&c->message, key.id, text, &value) : status;
    return status == LNSTAB_OK ? keep(c, set, key, value) : status;
}

int32_t lnstab__config_assign(lnstab_config *c, const char *assignments) {
    struct lnstab__settings set = c->set;
    struct lnstab__word name, text;
    for (int found; (found = lnstab__text_next_assignment(&assignments, &name, &text)) != 0;) {
        int32_t status = found > 0 ? assign(c, name, text, &set)
                                   : lnstab__fail(&c->message, LNSTAB_ERROR_ARGUMENT,
                                                  "'%.*s' is not key=value", LNSTAB__SHOWN(name));
        if (status != LNSTAB_OK) {
            return status;
        }
    }
    c->set = set;
    return lnstab__succeed(&c->message);
}

void lnstab__config_with_preset(const lnstab_config *c, struct lnstab__value values[LNSTAB__KEYS]) {
    lnstab_config preset;
    lnstab__config_reset(&preset);
    const int place = (int)c->set.values[LNSTAB__KEY_PRESET].integer;
    (void)lnstab__config_assign(&preset,
                                lnstab__preset_at(place)->assignments); /* tested to be good */
    for (int id = 0; id < LNSTAB__KEYS; ++id) {
        values[id] = c->set.values[id].is_set ? c->set.values[id] : preset.set.values[id];
    }
}

static int32_t finish(lnstab_config *c, int32_t status) {
    return status == LNSTAB_OK ? lnstab__succeed(&c->message) : status;
}

int32_t lnstab__config_set_integer(lnstab_config *c, const char *name, int64_t value) {
    struct lnstab__key_name key;
    struct lnstab__value held;
    int32_t status = find_typed_key(c, name, LNSTAB__INTEGER, &key);
    status =
        status == LNSTAB_OK ? lnstab__value_of_integer(&c->message, key.id, value, &held) : status;
    return status == LNSTAB_OK ? finish(c, keep(c, &c->set, key, held)) : status;
}

int32_t lnstab__config_set_number(lnstab_config *c, const char *name, double value) {
    struct lnstab__key_name key;
    struct lnstab__value held;
    int32_t status = find_typed_key(c, name, LNSTAB__NUMBER, &key);
    status =
        status == LNSTAB_OK ? lnstab__value_of_number(&c->message, key.id, value, &held) : status;
    return status == LNSTAB_OK ? finish(c, keep(c, &c->set, key, held)) : status;
}

int32_t lnstab__config_set_rule(lnstab_config *c, const char *name, struct lnstab__rule rule) {
    struct lnstab__key_name key;
    struct lnstab__value held;
    int32_t status = find_typed_key(c, name, LNSTAB__RULE, &key);
    status = status == LNSTAB_OK ? lnstab__value_of_rule(&c->message, key.id, rule, &held) : status;
    return status == LNSTAB_OK ? finish(c, keep(c, &c->set, key, held)) : status;
}

int32_t lnstab__config_get(lnstab_config *c, const char *name, enum lnstab__key_type type,
                           struct lnstab__value *out) {
    struct lnstab__key_name key;
    int32_t status = find_typed_key(c, name, type, &key);
    return status == LNSTAB_OK ? finish(c, lnstab__config_value(c, key, out)) : status;
}

int32_t lnstab__config_write(lnstab_config *c, const char *name, struct lnstab__writer *w) {
    struct lnstab__value value;
    struct lnstab__key_name key;
    int32_t status = find_key(c, (struct lnstab__word){name, strlen(name)}, &key);
    status = status == LNSTAB_OK ? lnstab__config_value(c, key, &value) : status;
    if (status == LNSTAB_OK) {
        lnstab__value_write(w, lnstab__key_at(key.id), &value);
    }
    return status;
}
