#ifndef LNSTAB_MODEL_CONFIG_H
#define LNSTAB_MODEL_CONFIG_H

#include "base/memory.h"
#include "model/scope.h"
#include "model/value.h"

/* A key that is set for some of the sublayers. */
struct lnstab__scoped {
    struct lnstab__scope scope;
    int id;
    struct lnstab__value value;
};

#define LNSTAB__SCOPED_MAX 64

/* What was set: keys of the model, and over them, each over those before it, keys of sublayers. */
struct lnstab__settings {
    struct lnstab__value values[LNSTAB__KEYS];
    int scoped_count;
    struct lnstab__scoped scoped[LNSTAB__SCOPED_MAX];
};

struct lnstab_config {
    struct lnstab__allocator allocator;
    struct lnstab__message message;
    struct lnstab__settings set;
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

/* A key of the model, or of some of its sublayers. */
struct lnstab__key_name {
    int id, is_scoped;
    struct lnstab__scope scope;
};

/* The value in force (model/spec.c): the one that was set, or what the preset, the placement or the
 * default has. Fails where the sublayers in question differ in it. */
int32_t lnstab__config_value(lnstab_config *c, struct lnstab__key_name key,
                             struct lnstab__value *out);

/* The same by name, of one type; and of any type, as the text that lnstab__config_assign would take. */
int32_t lnstab__config_get(lnstab_config *c, const char *name, enum lnstab__key_type type,
                           struct lnstab__value *out);
int32_t lnstab__config_write(lnstab_config *c, const char *name, struct lnstab__writer *w);

#endif
