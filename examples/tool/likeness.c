#include "likeness.h"

#include <stdlib.h>
#include <string.h>

/* Room for a description of a dozen layers: a longer one is asked for twice. */
enum { USUAL = 1 << 14 };

static char *describe(lnstab_config *c) {
    size_t room = USUAL, needed = 0;
    char *json = NULL;
    int32_t status;
    do {
        free(json);
        room = needed ? needed : room;
        json = malloc(room);
        status = json ? lnstab_config_describe(c, json, room, &needed) : LNSTAB_ERROR_MEMORY;
    } while (status == LNSTAB_ERROR_CAPACITY);
    if (status == LNSTAB_OK)
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

static bool begins(const char *line, const char *words) {
    return strncmp(line, words, strlen(words)) == 0;
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
static void keep_of_weights(char **to, const char *line) {
    bool whole =
        is_parameter(line) || begins(line, "  \"dtype\": ") || begins(line, "  \"gain_embed\": ");
    const char *rest = whole ? line : gains_of(line);
    if (!rest)
        return;
    if (rest != line)
        keep(to, line, strcspn(line, ","));
    keep(to, rest, length_of(rest));
    keep(to, "\n", 1);
}

static void keep_of_states(char **to, const char *line) {
    static const char *const of_depth[] = {
        "  \"layers\": ", "  \"gradients_from\": ", "  \"bytes\": ", "  \"parameter_count\": "};
    for (size_t i = 0; i < sizeof of_depth / sizeof of_depth[0]; i++)
        if (begins(line, of_depth[i]))
            return;
    keep(to, line, length_of(line));
    keep(to, "\n", 1);
}

/* Cuts a copy of the description down to what is kept of each line: never more than was read. */
static char *cut_down(const char *json, void (*keep_line)(char **to, const char *line)) {
    size_t size = strlen(json) + 1;
    char *text = malloc(size), *to = text;
    if (text)
        memcpy(text, json, size);
    for (char *line = text, *end; line && (end = strchr(line, '\n')); line = end + 1) {
        *end = '\0';
        keep_line(&to, line);
    }
    if (text)
        *to = '\0';
    return text;
}

struct likeness likeness_of(lnstab_config *c) {
    char *json = describe(c);
    struct likeness l = {NULL, NULL};
    if (json) {
        l.weights = cut_down(json, keep_of_weights);
        l.states = cut_down(json, keep_of_states);
    }
    free(json);
    return l;
}

void likeness_free(struct likeness *l) {
    free(l->weights);
    free(l->states);
}

static const char *next_line(const char *line) {
    return strchr(line, '\n') + 1;
}

/* Both have their lines in the library's order, so one pass finds each line of own. */
bool lines_within(const char *own, const char *whole) {
    while (own && whole && *own && *whole) {
        size_t size = (size_t)(next_line(own) - own);
        if (strncmp(own, whole, size) == 0)
            own += size;
        whole = next_line(whole);
    }
    return own && whole && !*own;
}
