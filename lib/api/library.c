#include <string.h>

#include "analysis/claims.h"
#include "lnstab.h"
#include "math/blas.h"
#include "math/philox.h"
#include "model/keys.h"
#include "model/preset.h"
#include "nn/init.h"

#define TEXT_OF(x) #x
#define TEXT(x) TEXT_OF(x)
#define VERSION_TEXT                                                                               \
    TEXT(LNSTAB_VERSION_MAJOR) "." TEXT(LNSTAB_VERSION_MINOR) "." TEXT(LNSTAB_VERSION_PATCH)

#if defined(__VERSION__)
#define COMPILER_TEXT __VERSION__
#else
#define COMPILER_TEXT "unknown compiler"
#endif

int32_t lnstab_version(void) {
    return 10000 * LNSTAB_VERSION_MAJOR + 100 * LNSTAB_VERSION_MINOR + LNSTAB_VERSION_PATCH;
}

const char *lnstab_build_info(void) {
    return strcmp(lnstab__blas_name(), "cblas") == 0
               ? "lnstab " VERSION_TEXT ", BLAS cblas, compiler " COMPILER_TEXT
               : "lnstab " VERSION_TEXT ", BLAS builtin, compiler " COMPILER_TEXT;
}

const char *lnstab_status_text(int32_t status) {
    static const char *const texts[] = {
        "success",          "argument out of range",       "out of memory",
        "no such name",     "called before what it needs", "not available",
        "buffer too small",
    };
    return status <= LNSTAB_OK && status >= LNSTAB_ERROR_CAPACITY ? texts[-status]
                                                                  : "unknown status";
}

static const char *key_cell(int32_t row, const char *column) {
    const struct lnstab__key *key = lnstab__key_at(row);
    return strcmp(column, "name") == 0      ? key->name
           : strcmp(column, "alias") == 0   ? (key->alias ? key->alias : "")
           : strcmp(column, "type") == 0    ? lnstab__key_type_name(key->type)
           : strcmp(column, "range") == 0   ? key->range
           : strcmp(column, "default") == 0 ? key->default_text
           : strcmp(column, "help") == 0    ? key->help
                                            : NULL;
}

static const char *placement_cell(int32_t row, const char *column) {
    const struct lnstab__placement *p = lnstab__placement_at(row);
    return strcmp(column, "name") == 0      ? p->name
           : strcmp(column, "formula") == 0 ? p->formula
           : strcmp(column, "aliases") == 0 ? p->aliases
           : strcmp(column, "source") == 0  ? p->source
           : strcmp(column, "states") == 0  ? p->rows[0].states
                                            : NULL;
}

static const char *claim_cell(int32_t row, const char *column) {
    const struct lnstab__claim *c = lnstab__claim_at(row);
    return strcmp(column, "name") == 0          ? c->name
           : strcmp(column, "source") == 0      ? c->source
           : strcmp(column, "arguments") == 0   ? c->arguments
           : strcmp(column, "assumptions") == 0 ? c->assumptions
           : strcmp(column, "kind") == 0        ? c->kind
           : strcmp(column, "relation") == 0    ? c->relation
           : strcmp(column, "needs") == 0       ? c->needs
           : strcmp(column, "formula") == 0     ? c->formula
                                                : NULL;
}

static const char *preset_cell(int32_t row, const char *column) {
    const struct lnstab__preset *p = lnstab__preset_at(row);
    return strcmp(column, "name") == 0          ? p->name
           : strcmp(column, "assignments") == 0 ? p->assignments
           : strcmp(column, "source") == 0      ? p->source
                                                : NULL;
}

static int32_t count_keys(void) {
    return LNSTAB__KEYS;
}
static int32_t count_placements(void) {
    return lnstab__placement_count();
}
static int32_t count_presets(void) {
    return lnstab__preset_count();
}
static int32_t count_claims(void) {
    return lnstab__claim_count();
}

static const struct table {
    const char *name;
    int32_t (*count)(void);
    const char *(*cell)(int32_t row, const char *column);
} tables[] = {
    {"keys", count_keys, key_cell},
    {"placements", count_placements, placement_cell},
    {"presets", count_presets, preset_cell},
    {"claims", count_claims, claim_cell},
};

static const struct table *table_find(const char *name) {
    for (size_t i = 0; name && i < sizeof tables / sizeof *tables; ++i) {
        if (strcmp(tables[i].name, name) == 0) {
            return &tables[i];
        }
    }
    return NULL;
}

int32_t lnstab_table_count(const char *table) {
    const struct table *t = table_find(table);
    return t ? t->count() : 0;
}

const char *lnstab_table_text(const char *table, int32_t row, const char *column) {
    const struct table *t = table_find(table);
    return t && column && row >= 0 && row < t->count() ? t->cell(row, column) : NULL;
}

static int is_drawable(uint64_t first, size_t count, const double *out) {
    return (out || count == 0) && count <= UINT64_MAX - first;
}

int32_t lnstab_random_normal(uint64_t seed, uint32_t stream, uint64_t first, size_t count,
                             double *out) {
    if (!is_drawable(first, count, out)) {
        return LNSTAB_ERROR_ARGUMENT;
    }
    lnstab__draw_normal((struct lnstab__stream){seed, LNSTAB__KIND_HOST, stream}, first, count,
                        out);
    return LNSTAB_OK;
}

int32_t lnstab_random_uniform(uint64_t seed, uint32_t stream, uint64_t first, size_t count,
                              double *out) {
    if (!is_drawable(first, count, out)) {
        return LNSTAB_ERROR_ARGUMENT;
    }
    lnstab__draw_uniform((struct lnstab__stream){seed, LNSTAB__KIND_HOST, stream}, first, count,
                         out);
    return LNSTAB_OK;
}
