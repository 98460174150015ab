#include "description.h"

const char *description_of(struct pool *pool, lnstab_config *c) {
    size_t size = 0;
    char *json = NULL;
    if (lnstab_config_describe(c, NULL, 0, &size) != LNSTAB_ERROR_CAPACITY)
        usage_error("%s", lnstab_config_message(c));
    else if (!(json = pool_allocate(pool, size)))
        usage_error("no memory for the description");
    else
        lnstab_config_describe(c, json, size, NULL);
    return json;
}
