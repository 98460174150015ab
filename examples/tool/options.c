#include "options.h"

#include "usage.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static int find(const struct options *o, const char *name, size_t length) {
    for (int i = 0; i < o->count; i++) {
        const char *row = o->table[i].name;
        if (strlen(row) == length && memcmp(row, name, length) == 0)
            return i;
    }
    return -1;
}

static bool out_of_memory(void) {
    usage_error("no memory for the command line");
    return false;
}

static bool store(struct options *o, int i, const char *text) {
    const char *old = o->table[i].repeats ? o->value[i] : NULL;
    size_t kept = old ? strlen(old) + 1 : 0;
    char *joined = malloc(kept + strlen(text) + 1);
    if (!joined)
        return out_of_memory();
    if (old) {
        memcpy(joined, old, kept);
        joined[kept - 1] = ' ';
    }
    memcpy(joined + kept, text, strlen(text) + 1);
    free(o->value[i]);
    o->value[i] = joined;
    return true;
}

/* The row of a table that takes words without a name, NULL if none does. */
static const struct option *row_of_words(const struct options *o) {
    for (int i = 0; i < o->count; i++)
        if (*o->table[i].name != '-')
            return &o->table[i];
    return NULL;
}

static bool take_word(struct options *o, char *word) {
    const struct option *row = row_of_words(o);
    if (!row)
        usage_error("unexpected %s; several words for one option want quotes: --set \"a=1 b=2\"",
                    word);
    else if (o->words == (row->repeats ? OPTIONS_WORDS_MAX : 1))
        usage_error("%s is one %s too many: the limit is %d", word, row->name, o->words);
    else {
        o->word[o->words++] = word;
        return true;
    }
    return false;
}

/* Reads one option at argv[*at], "--name value" or "--name=value", and moves *at past it. */
static bool take(struct options *o, int argc, char **argv, int *at) {
    char *word = argv[(*at)++];
    const char *equals = strchr(word, '=');
    if (*word != '-')
        return take_word(o, word);
    int i = find(o, word, equals ? (size_t)(equals - word) : strlen(word));
    if (i < 0) {
        usage_error("unknown option %s (--help lists them)", word);
        return false;
    }
    if (!o->table[i].argument && equals) {
        usage_error("%s takes no value", o->table[i].name);
        return false;
    }
    if (!o->table[i].argument)
        return store(o, i, "1");
    if (equals)
        return store(o, i, equals + 1);
    if (*at == argc) {
        usage_error("%s needs a value, %s", word, o->table[i].argument);
        return false;
    }
    return store(o, i, argv[(*at)++]);
}

bool options_parse(struct options *o, const struct option *table, int argc, char **argv) {
    *o = (struct options){.table = table};
    while (table[o->count].name)
        o->count++;
    for (int at = 0; at < argc;)
        if (!take(o, argc, argv, &at))
            return false;
    return true;
}

void options_free(struct options *o) {
    for (int i = 0; i < o->count; i++)
        free(o->value[i]);
}

bool options_has(const struct options *o, const char *name) {
    return find(o, name, strlen(name)) >= 0;
}

bool options_given(const struct options *o, const char *name) {
    int i = find(o, name, strlen(name));
    return i >= 0 && o->value[i];
}

const char *options_text(const struct options *o, const char *name) {
    int i = find(o, name, strlen(name));
    return i < 0 ? NULL : o->value[i] ? o->value[i] : o->table[i].standard;
}

bool options_integer(const struct options *o, const char *name, int64_t least, int64_t most,
                     int64_t *value) {
    const char *text = options_text(o, name);
    char *end;
    errno = 0;
    long long number = strtoll(text, &end, 10);
    if (end == text || *end || errno) {
        usage_error("%s %s is not a whole number", name, text);
        return false;
    }
    if (number < least || number > most) {
        usage_error("%s %s is outside %" PRId64 "..%" PRId64, name, text, least, most);
        return false;
    }
    *value = number;
    return true;
}

static void print_help(FILE *out, const char *text) {
    for (const char *end; (end = strchr(text, '\n')); text = end + 1)
        fprintf(out, "        %.*s\n", (int)(end - text), text);
    fprintf(out, "        %s\n", text);
}

void options_print(FILE *out, const struct option *table) {
    for (; table->name; table++) {
        fprintf(out, "  %s%s%s", table->name, table->argument ? " " : "",
                table->argument ? table->argument : "");
        if (table->standard)
            fprintf(out, "   (default: %s)", table->standard);
        fputc('\n', out);
        print_help(out, table->help);
    }
}
