#ifndef LNSTAB_MODEL_CONFIG_H
#define LNSTAB_MODEL_CONFIG_H

#include "base/memory.h"
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

struct lnstab_config {
    struct lnstab__allocator allocator;
    struct lnstab__message message;
    struct lnstab__value values[LNSTAB__KEYS];
};

/* Every key at its default. */
void lnstab__config_reset(lnstab_config *c);

/* As lnstab_config_set and its kin. */
int32_t lnstab__config_assign(lnstab_config *c, const char *assignments);
int32_t lnstab__config_set_integer(lnstab_config *c, const char *name, int64_t value);
int32_t lnstab__config_set_number(lnstab_config *c, const char *name, double value);
int32_t lnstab__config_set_rule(lnstab_config *c, const char *name, struct lnstab__rule rule);

/* The values with those of the preset where a key is not set; they count as set, over the placement. */
void lnstab__config_with_preset(const lnstab_config *c, struct lnstab__value values[LNSTAB__KEYS]);

/* The value in force (model/spec.c): the one that was set, or what the preset, the placement or the
 * default has. Fails where the layers of a mixed placement differ in it. */
int32_t lnstab__config_value(lnstab_config *c, int id, struct lnstab__value *out);

/* The same by name, of one type; and of any type, as the text that lnstab__config_assign would take. */
int32_t lnstab__config_get(lnstab_config *c, const char *name, enum lnstab__key_type type,
                           struct lnstab__value *out);
int32_t lnstab__config_write(lnstab_config *c, const char *name, struct lnstab__writer *w);

/* The value of a key as such a text. */
void lnstab__value_write(struct lnstab__writer *w, const struct lnstab__key *key,
                         const struct lnstab__value *value);

#endif
