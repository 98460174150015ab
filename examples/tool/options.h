/* A command line against a table of options. Every verb has one table; help and the man page's test
 * read the same rows. */
#ifndef TOOL_OPTIONS_H
#define TOOL_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct option {
    const char *name;     /* "--seeds"; "DESIGN" for the words without a name */
    const char *argument; /* "N", or NULL for a flag                          */
    const char *standard; /* value when it is not given, or NULL              */
    const char *help;     /* lines separated by newlines                      */
    bool repeats;         /* values of repeated uses are joined with a blank  */
};

#define OPTIONS_MAX 32
#define OPTIONS_WORDS_MAX 16

struct options {
    const struct option *table;
    int count;
    char *value[OPTIONS_MAX]; /* NULL where the option was not given */
    int words;
    char *word[OPTIONS_WORDS_MAX]; /* those without a name, of argv */
};

/* Reads argv[0..argc-1]; a table ends with a row whose name is NULL. False after one line on stderr.
 * options_free is needed in either case. */
bool options_parse(struct options *o, const struct option *table, int argc, char **argv);
void options_free(struct options *o);

/* Is there such a row? */
bool options_has(const struct options *o, const char *name);
bool options_given(const struct options *o, const char *name);
/* The value given, else the table's standard one. */
const char *options_text(const struct options *o, const char *name);
/* The same as a whole number in least..most; false after one line on stderr. */
bool options_integer(const struct options *o, const char *name, int64_t least, int64_t most,
                     int64_t *value);

void options_print(FILE *out, const struct option *table);

#endif
