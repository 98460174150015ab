/* The paths of a command line, and that no two of them are one file. */
#ifndef TOOL_PLACES_H
#define TOOL_PLACES_H

#include "pool.h"

struct place {
    const char *option, *path;
    bool given; /* as the option's value; the others are made from it */
};

struct places {
    struct pool pool;
    int count, room;
    struct place *list;
};

void places_add(struct places *p, const char *option, const char *path, bool given);
/* A file that is not there yet is known by its directory and name. Files of one option, and those that are
 * both made from options, have names of their own. False after one line on stderr. */
bool places_apart(const struct places *p);
void places_free(struct places *p);

#endif
