#include "report_parts.h"

#include "description.h"

#include "grid_spell.h"

#include <inttypes.h>

static const struct table_column columns[] = {
    {"name", "name", TABLE_TEXT},
    {"value", "value", TABLE_TEXT},
    {NULL, NULL, TABLE_TEXT},
};

static void put_row(struct table *t, const char *name, const char *value) {
    table_text(t, "%s", name);
    table_text(t, "%s", value);
}

static void report_setting(struct document *d, const struct sweep *s) {
    struct pool *pool = &d->pool;
    const struct setting *set = &s->setting;
    struct table *t = document_table(d, "configuration", NULL, columns);
    put_row(t, "grid", grid_spell(pool, set->grid));
    put_row(t, "seeds", pool_print(pool, "%d from %" PRIu64, s->seeds, s->first_seed));
    put_row(t, "n, tokens", pool_print(pool, "%" PRId64, set->tokens));
    put_row(t, "V, classes", pool_print(pool, "%" PRId64, set->vocab));
    put_row(t, "inputs", s->text ? "the bytes of a text" : "i.i.d. N(0, I)");
    put_row(t, "keys set", *set->assignments ? set->assignments : "none");
}

/* Of the first cell; NULL after one line on stderr. */
static const char *describe(struct pool *pool, const struct sweep *s) {
    char message[MESSAGE_SIZE];
    lnstab_config *c;
    if (!setting_config(&s->setting, grid_cell(s->setting.grid, 0), MEASURED, NULL, &c, message)) {
        usage_error("%s", message);
        return NULL;
    }
    const char *json = description_of(pool, c);
    lnstab_config_destroy(c);
    return json;
}

bool report_configuration(struct document *d, const struct sweep *s) {
    const char *json = describe(&d->pool, s);
    document_heading(d, "Configuration");
    report_setting(d, s);
    document_code(d, "The first cell as the library describes it", json ? json : "");
    return json != NULL;
}
