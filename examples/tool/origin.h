/* Where numbers come from: what makes them again. */
#ifndef TOOL_ORIGIN_H
#define TOOL_ORIGIN_H

#include "json.h"
#include "pool.h"

struct origin {
    const char *verb;
    int argc;
    char **argv; /* the words after the verb */
    uint64_t first_seed;
    int seeds;
    const char *grid; /* all its axes, as --grid takes them; NULL where there is none */
};

/* The command for a shell, every word quoted that needs it. */
const char *origin_command(const struct origin *o, struct pool *pool);
/* Version, command as a list, seeds and grid. No time: the same command writes the same bytes. */
void origin_json(const struct origin *o, FILE *out);

#endif
