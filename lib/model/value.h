#ifndef LNSTAB_MODEL_VALUE_H
#define LNSTAB_MODEL_VALUE_H

#include "base/message.h"
#include "base/writer.h"
#include "model/keys.h"

/* What a key holds; which member counts is told by the key's type. A choice is the place in its list, a
 * number is rule.factor. */
struct lnstab__value {
    int is_set;
    int64_t integer;
    struct lnstab__rule rule;
};

/* A value for key id, of its type, that is set. A failing one, with its message, leaves *out alone. */
int32_t lnstab__value_of_integer(struct lnstab__message *message, int id, int64_t value,
                                 struct lnstab__value *out);
int32_t lnstab__value_of_number(struct lnstab__message *message, int id, double value,
                                struct lnstab__value *out);
int32_t lnstab__value_of_rule(struct lnstab__message *message, int id, struct lnstab__rule rule,
                              struct lnstab__value *out);

/* The same from text, of any type; and back. */
int32_t lnstab__value_parse(struct lnstab__message *message, int id, struct lnstab__word text,
                            struct lnstab__value *out);
void lnstab__value_write(struct lnstab__writer *w, const struct lnstab__key *key,
                         const struct lnstab__value *value);

#endif
