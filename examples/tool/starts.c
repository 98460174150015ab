#include "starts.h"

#include <stdlib.h>
#include <string.h>

static char *describe(lnstab_config *c) {
    size_t size = 0;
    if (lnstab_config_describe(c, NULL, 0, &size) != LNSTAB_ERROR_CAPACITY)
        return NULL;
    char *json = malloc(size);
    if (json && lnstab_config_describe(c, json, size, NULL) == LNSTAB_OK)
        return json;
    free(json);
    return NULL;
}

bool starts_as_norm(const char *name) {
    return strstr(name, "norm_") != NULL;
}

/* A line of a description is a key, a sublayer or a parameter. */
static bool is_parameter(const char *line) {
    return strstr(line, "\"shape\": ") && !starts_as_norm(line);
}

/* The deviations of the weights have no sign; the gains of their sublayer do. */
static const char *gains_of(const char *line) {
    return strstr(line, "\"kappa\": ") ? strstr(line, "\"gain_") : NULL;
}

static bool is_key(const char *line) {
    return strncmp(line, "  \"dtype\": ", 11) == 0 || strncmp(line, "  \"gain_embed\": ", 16) == 0;
}

/* Moves size bytes to *to, which is not behind from. */
static void keep(char **to, const char *from, size_t size) {
    memmove(*to, from, size);
    *to += size;
}

/* Without the comma that ends every item but the last. */
static size_t length_of(const char *line) {
    size_t length = strlen(line);
    return length && line[length - 1] == ',' ? length - 1 : length;
}

/* Keys and parameters as they are, a sublayer with its name and gains. */
static void keep_line(char **to, const char *line) {
    const char *rest = is_parameter(line) || is_key(line) ? line : gains_of(line);
    if (!rest)
        return;
    if (rest != line)
        keep(to, line, strcspn(line, ","));
    keep(to, rest, length_of(rest));
    keep(to, "\n", 1);
}

/* Cuts the description down to the lines that are kept; they never outgrow those that were read. */
char *starts_of(lnstab_config *c) {
    char *text = describe(c), *to = text;
    for (char *line = text, *end; line && (end = strchr(line, '\n')); line = end + 1) {
        *end = '\0';
        keep_line(&to, line);
    }
    if (text)
        *to = '\0';
    return text;
}

static const char *next_line(const char *line) {
    return strchr(line, '\n') + 1;
}

/* Both have their lines in the library's order, so one pass finds each line of own. */
bool starts_within(const char *own, const char *whole) {
    while (*own && *whole) {
        size_t size = (size_t)(next_line(own) - own);
        if (strncmp(own, whole, size) == 0)
            own += size;
        whole = next_line(whole);
    }
    return !*own;
}
