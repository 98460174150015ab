#define _POSIX_C_SOURCE 200809L

#include "origin.h"

#include "lnstab.h"

#include <string.h>

/* Puts word at end, quoted if a shell needs it; returns the new end. */
static char *put_word(char *end, const char *word) {
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "-_=+,./:@%";
    if (*word && !word[strspn(word, plain)])
        return stpcpy(end, word);
    *end++ = '\'';
    for (; *word; word++)
        if (*word == '\'')
            end = stpcpy(end, "'\\''");
        else
            *end++ = *word;
    return stpcpy(end, "'");
}

const char *origin_command(const struct origin *o, struct pool *pool) {
    size_t size = sizeof "lnstab " + strlen(o->verb);
    for (int i = 0; i < o->argc; i++)
        size += 4 * strlen(o->argv[i]) + sizeof " ''";
    char *text = pool_allocate(pool, size), *end = text;
    if (!text)
        return "";
    end = stpcpy(stpcpy(end, "lnstab "), o->verb);
    for (int i = 0; i < o->argc; i++)
        end = put_word(stpcpy(end, " "), o->argv[i]);
    return text;
}

static void write_command(const struct origin *o, struct json *j) {
    json_open(j, "command", '[');
    json_text(j, NULL, "lnstab");
    json_text(j, NULL, o->verb);
    for (int i = 0; i < o->argc; i++)
        json_text(j, NULL, o->argv[i]);
    json_close(j, ']');
}

void origin_json(const struct origin *o, FILE *out) {
    struct json j = {.out = out, .first = true};
    json_open(&j, NULL, '{');
    json_text(&j, "version", lnstab_build_info());
    write_command(o, &j);
    json_open(&j, "seeds", '{');
    json_integer(&j, "first", (int64_t)o->first_seed);
    json_integer(&j, "count", o->seeds);
    json_close(&j, '}');
    if (o->grid)
        json_text(&j, "grid", o->grid);
    json_close(&j, '}');
}
