#include "model/value.h"

#include <inttypes.h>
#include <math.h>

#include "base/number.h"
#include "lnstab.h"
#include "model/keys.h"
#include "model/rule_text.h"

int32_t lnstab__value_of_integer(struct lnstab__message *message, int id, int64_t value,
                                 struct lnstab__value *out) {
    const struct lnstab__key *key = lnstab__key_at(id);
    if (value < key->integer_min || value > key->integer_max) {
        return lnstab__fail(message, LNSTAB_ERROR_ARGUMENT, "%s %" PRId64 " is outside %s",
                            key->name, value, key->range);
    }
    *out = (struct lnstab__value){.is_set = 1, .integer = value};
    return LNSTAB_OK;
}

int32_t lnstab__value_of_number(struct lnstab__message *message, int id, double value,
                                struct lnstab__value *out) {
    const struct lnstab__key *key = lnstab__key_at(id);
    char text[LNSTAB__NUMBER_ROOM];
    if (!(value >= key->number_min && value <= key->number_max)) {
        return lnstab__fail(message, LNSTAB_ERROR_ARGUMENT, "%s %s is outside %s", key->name,
                            lnstab__number_format(text, value), key->range);
    }
    *out = (struct lnstab__value){.is_set = 1, .rule = {.factor = value}};
    return LNSTAB_OK;
}

int32_t lnstab__value_of_rule(struct lnstab__message *message, int id, struct lnstab__rule rule,
                              struct lnstab__value *out) {
    if (!isfinite(rule.factor) || !isfinite(rule.depth_power) || !isfinite(rule.layer_power)) {
        return lnstab__fail(message, LNSTAB_ERROR_ARGUMENT, "%s wants finite numbers",
                            lnstab__key_at(id)->name);
    }
    *out = (struct lnstab__value){.is_set = 1, .rule = rule};
    return LNSTAB_OK;
}

static int32_t store_choice(struct lnstab__message *message, int id, struct lnstab__word word,
                            struct lnstab__value *out) {
    const struct lnstab__key *key = lnstab__key_at(id);
    int place = lnstab__choice_find(key, word.at, word.length);
    const char *meanings = id == LNSTAB__KEY_PLACEMENT && place < 0
                               ? lnstab__placement_ambiguity(word.at, word.length)
                               : NULL;
    if (meanings) {
        return lnstab__fail(message, LNSTAB_ERROR_NAME, "placement '%.*s' could mean %s",
                            LNSTAB__SHOWN(word), meanings);
    }
    if (place < 0) {
        return lnstab__fail(message, LNSTAB_ERROR_NAME, "%s '%.*s' is not one of: %s", key->name,
                            LNSTAB__SHOWN(word), key->range);
    }
    *out = (struct lnstab__value){.is_set = 1, .integer = place};
    return LNSTAB_OK;
}

int32_t lnstab__value_parse(struct lnstab__message *message, int id, struct lnstab__word text,
                            struct lnstab__value *out) {
    const struct lnstab__key *key = lnstab__key_at(id);
    int64_t integer;
    double number;
    struct lnstab__rule rule;
    if (key->type == LNSTAB__CHOICE) {
        return store_choice(message, id, text, out);
    }
    if (key->type == LNSTAB__INTEGER && lnstab__integer_parse(text.at, text.length, &integer)) {
        return lnstab__value_of_integer(message, id, integer, out);
    }
    if (key->type == LNSTAB__NUMBER && lnstab__number_parse(text.at, text.length, &number)) {
        return lnstab__value_of_number(message, id, number, out);
    }
    if (key->type == LNSTAB__RULE && lnstab__rule_parse(text, &rule)) {
        return lnstab__value_of_rule(message, id, rule, out);
    }
    return lnstab__fail(message, LNSTAB_ERROR_ARGUMENT, "%s '%.*s' is not %s", key->name,
                        LNSTAB__SHOWN(text),
                        key->type == LNSTAB__INTEGER  ? "an integer"
                        : key->type == LNSTAB__NUMBER ? "a number"
                                                      : "a rule such as 0.5, 1*L^-0.5 or 2*l^-1");
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
