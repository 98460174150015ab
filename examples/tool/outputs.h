/* The files that a sweep writes. */
#ifndef TOOL_OUTPUTS_H
#define TOOL_OUTPUTS_H

#include "options.h"

struct outputs {
    FILE *csv, *json; /* NULL where the option was not given */
};

/* Two options, --text and --resume among them, may not name one file. False after one line on stderr. */
bool outputs_apart(const struct options *o);

/* Opens what --csv and --json name, apart from each other and all others. False after one line on
 * stderr; outputs_close is needed in either case. */
bool outputs_open(struct outputs *out, const struct options *o);

/* False after one line on stderr if not everything could be written. */
bool outputs_close(struct outputs *out);

#endif
