#include "design.h"

#include "twin.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* No configuration is longer. */
enum { SIZE_LIMIT = 65536 };

static bool is_placement(const char *name, size_t length) {
    for (int32_t row = 0; row < lnstab_table_count("placements"); row++) {
        char names[256];
        snprintf(names, sizeof names, "%s %s", lnstab_table_text("placements", row, "name"),
                 lnstab_table_text("placements", row, "aliases"));
        for (char *at = names, *end; *(at += strspn(at, " ")); at = end) {
            end = at + strcspn(at, " ");
            if ((size_t)(end - at) == length && strncmp(at, name, length) == 0)
                return true;
        }
    }
    return false;
}

/* "placement=" and the word, its colons as blanks. */
static char *spell(const char *word) {
    static const char prefix[] = "placement=";
    char *text = malloc(sizeof prefix + strlen(word));
    if (!text)
        return NULL;
    strcpy(text, prefix);
    strcat(text, word);
    for (char *colon = text; (colon = strchr(colon, ':'));)
        *colon = ' ';
    return text;
}

/* Room for one byte more than allowed tells that a file is too long. */
static char *read_file(const char *path) {
    FILE *file = fopen(path, "rb");
    char *text = malloc(SIZE_LIMIT + 2);
    size_t size = 0;
    if (!file)
        usage_error("%s is no placement, and no file: %s", path, strerror(errno));
    else if (text)
        size = fread(text, 1, SIZE_LIMIT + 1, file);
    bool good = file && text;
    if (good && ferror(file)) {
        usage_error("%s: %s", path, strerror(errno));
        good = false;
    } else if (good && (size > SIZE_LIMIT || memchr(text, 0, size))) {
        usage_error("%s is no configuration: %s", path,
                    size > SIZE_LIMIT ? "it is longer than 65536 bytes" : "it has a zero byte");
        good = false;
    } else if (file && !text)
        usage_error("no memory for %s", path);
    if (file)
        fclose(file);
    if (!good) {
        free(text);
        return NULL;
    }
    text[size] = '\0';
    return text;
}

bool design_read(struct design *d, const char *word) {
    bool placed = is_placement(word, strcspn(word, ":"));
    *d = (struct design){word, !placed, placed ? spell(word) : read_file(word)};
    if (!d->assignments && placed)
        usage_error("no memory for %s", word);
    return d->assignments != NULL;
}

void design_free(struct design *d) {
    free(d->assignments);
}

char *design_join(const char *before, const char *behind) {
    char *text = malloc(strlen(before) + strlen(behind) + 2);
    if (!text) {
        usage_error("no memory for a configuration");
        return NULL;
    }
    strcpy(text, before);
    strcat(text, "\n");
    strcat(text, behind);
    return text;
}

bool design_config(const char *assignments, struct recycler *r, lnstab_config **out,
                   char message[MESSAGE_SIZE]) {
    if (lnstab_config_create(r ? recycler_alloc : NULL, r ? recycler_release : NULL, r, out) !=
        LNSTAB_OK) {
        snprintf(message, MESSAGE_SIZE, "no memory for a configuration");
        return false;
    }
    if (lnstab_config_set(*out, assignments) == LNSTAB_OK)
        return true;
    snprintf(message, MESSAGE_SIZE, "%s", lnstab_config_message(*out));
    lnstab_config_destroy(*out);
    return false;
}

/* The table of keys says which ones the placement answers for. */
static bool decided_by_placement(int32_t row) {
    return strcmp(lnstab_table_text("keys", row, "default"), "of the placement") == 0;
}

/* "layer.3.ffn.norm_res" */
static void name_key(int64_t k, const char *key, char name[64]) {
    snprintf(name, 64, "layer.%" PRId64 ".%s.%s", k / 2 + 1, k % 2 ? "ffn" : "attn", key);
}

int64_t design_flag(lnstab_config *c, int64_t k, const char *key) {
    char name[64];
    int64_t value = 0;
    name_key(k, key, name);
    lnstab_config_get_i64(c, name, &value);
    return value;
}

void design_rule(lnstab_config *c, int64_t k, const char *key, char *text, size_t size) {
    char name[64];
    name_key(k, key, name);
    *text = '\0';
    lnstab_config_get_str(c, name, text, size, NULL);
}

double design_value(lnstab_config *c, int64_t layers, int64_t k, const char *key) {
    char text[128], *at;
    design_rule(c, k, key, text, sizeof text);
    double value = *text ? strtod(text, &at) : (double)NAN;
    while (*text && *at == '*') {
        double base = at[1] == 'L' ? (double)layers : (double)(k / 2 + 1);
        value *= pow(base, strtod(at + 3, &at));
    }
    return value;
}

char *design_over_twin(const char *assignments, const char *label) {
    char message[MESSAGE_SIZE];
    struct twin twin;
    lnstab_config *c;
    if (!design_config(assignments, NULL, &c, message)) {
        usage_error("%s: %s", label, message);
        return NULL;
    }
    twin_of(c, &twin);
    lnstab_config_destroy(c);
    return design_join(assignments, twin.assignments);
}

static char *undecided_keys(lnstab_config *c) {
    enum { ROOM = 8192 };
    char *text = calloc(1, ROOM);
    size_t used = 0;
    for (int32_t row = 0; text && row < lnstab_table_count("keys"); row++) {
        const char *key = lnstab_table_text("keys", row, "name");
        char value[128];
        if (!decided_by_placement(row) && strcmp(key, "preset") != 0 &&
            strcmp(key, "placement") != 0 &&
            lnstab_config_get_str(c, key, value, sizeof value, NULL) == LNSTAB_OK)
            used += (size_t)snprintf(text + used, ROOM - used, "%s=%s ", key, value);
    }
    if (!text)
        usage_error("no memory for a configuration");
    return text;
}

/* Attention stays the plain average, which the twin has by a key of the placement's. */
char *design_base(const char *assignments, const char *label) {
    char message[MESSAGE_SIZE];
    char *all = design_over_twin(assignments, label), *keys = NULL, *base = NULL;
    lnstab_config *c;
    if (all && design_config(all, NULL, &c, message)) {
        keys = undecided_keys(c);
        lnstab_config_destroy(c);
    } else if (all)
        usage_error("%s: %s", label, message);
    if (keys)
        base = design_join(keys, "gain_qk=0");
    free(keys);
    free(all);
    return base;
}

void design_shrink(lnstab_config *c, int64_t most, char *text, size_t size) {
    int64_t width = 1, ffn_width = 1, heads = 1, kv_heads = 1;
    lnstab_config_get_i64(c, "width", &width);
    lnstab_config_get_i64(c, "ffn_width", &ffn_width);
    lnstab_config_get_i64(c, "heads", &heads);
    lnstab_config_get_i64(c, "kv_heads", &kv_heads);
    *text = '\0';
    if (width <= most)
        return;
    double rho = (double)ffn_width / (double)width;
    bool fit = most % (2 * heads) == 0; /* an even width of each, for rotary positions */
    snprintf(text, size,
             "width=%" PRId64 " ffn_width=%" PRId64 " heads=%" PRId64 " kv_heads=%" PRId64, most,
             (int64_t)fmax(1, round(rho * (double)most)), fit ? heads : 1, fit ? kv_heads : 1);
}
