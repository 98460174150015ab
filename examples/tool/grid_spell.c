#include "grid_spell.h"

#include "fields.h"

#include <inttypes.h>
#include <string.h>

static const char *placements(struct pool *pool, const struct grid *g) {
    const char *list = "";
    for (int i = 0; i < g->placements; i++) {
        char name[GRID_TEXT_MAX];
        strcpy(name, g->placement[i].label);
        for (char *blank = name; (blank = strchr(blank, ' '));)
            *blank = ':';
        list = pool_print(pool, "%s%s%s", list, i ? "," : "", name);
    }
    return list;
}

static const char *sizes(struct pool *pool, const int64_t *values, int count) {
    const char *list = "";
    for (int i = 0; i < count; i++)
        list = pool_print(pool, "%s%s%" PRId64, list, i ? "," : "", values[i]);
    return list;
}

static const char *ratios(struct pool *pool, const struct grid *g) {
    const char *list = "";
    for (int i = 0; i < g->ratios; i++) {
        char number[FIELD_NUMBER];
        field_spell(number, g->ratio[i]);
        list = pool_print(pool, "%s%s%s", list, i ? "," : "", number);
    }
    return list;
}

const char *grid_spell(struct pool *pool, const struct grid *g) {
    return pool_print(pool, "placement=%s L=%s d=%s rho=%s", placements(pool, g),
                      sizes(pool, g->depth, g->depths), sizes(pool, g->width, g->widths),
                      ratios(pool, g));
}
