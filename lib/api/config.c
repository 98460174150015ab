#include "model/config.h"

#include "api/handle.h"

int32_t lnstab_config_create(lnstab_alloc_fn *alloc, lnstab_free_fn *release, void *user,
                             lnstab_config **out) {
    if (!out || !alloc != !release) {
        return LNSTAB_ERROR_ARGUMENT;
    }
    const struct lnstab__allocator given = {alloc, release, user};
    const struct lnstab__allocator from = alloc ? given : lnstab__memory_default();
    lnstab_config *c = lnstab__memory_take(&from, sizeof *c);
    if (!c) {
        return LNSTAB_ERROR_MEMORY;
    }
    c->allocator = from;
    lnstab__config_reset(c);
    *out = c;
    return LNSTAB_OK;
}

void lnstab_config_destroy(lnstab_config *c) {
    if (c) {
        lnstab__memory_give(c->allocator, c);
    }
}

const char *lnstab_config_message(const lnstab_config *c) {
    return c ? c->message.text : "no configuration";
}

int32_t lnstab_config_set(lnstab_config *c, const char *assignments) {
    REQUIRE(c, assignments);
    return lnstab__config_assign(c, assignments);
}

int32_t lnstab_config_set_i64(lnstab_config *c, const char *key, int64_t value) {
    REQUIRE(c, key);
    return lnstab__config_set_integer(c, key, value);
}

int32_t lnstab_config_set_f64(lnstab_config *c, const char *key, double value) {
    REQUIRE(c, key);
    return lnstab__config_set_number(c, key, value);
}

int32_t lnstab_config_set_rule(lnstab_config *c, const char *key, double factor, double depth_power,
                               double layer_power) {
    REQUIRE(c, key);
    return lnstab__config_set_rule(c, key, (struct lnstab__rule){factor, depth_power, layer_power});
}

int32_t lnstab_config_get_i64(lnstab_config *c, const char *key, int64_t *value) {
    struct lnstab__value held;
    REQUIRE(c, key);
    REQUIRE(c, value);
    int32_t status = lnstab__config_get(c, key, LNSTAB__INTEGER, &held);
    if (status == LNSTAB_OK) {
        *value = held.integer;
    }
    return status;
}

int32_t lnstab_config_get_f64(lnstab_config *c, const char *key, double *value) {
    struct lnstab__value held;
    REQUIRE(c, key);
    REQUIRE(c, value);
    int32_t status = lnstab__config_get(c, key, LNSTAB__NUMBER, &held);
    if (status == LNSTAB_OK) {
        *value = held.rule.factor;
    }
    return status;
}

int32_t lnstab_config_get_str(lnstab_config *c, const char *key, char *text, size_t capacity,
                              size_t *needed) {
    struct lnstab__writer w = {text, capacity, 0};
    REQUIRE(c, key);
    if (capacity > 0) {
        REQUIRE(c, text);
    }
    int32_t status = lnstab__config_write(c, key, &w);
    return status == LNSTAB_OK ? lnstab__writer_end(&w, needed, &c->message) : status;
}
