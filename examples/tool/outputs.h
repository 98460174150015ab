/* The files that a sweep writes. */
#ifndef TOOL_OUTPUTS_H
#define TOOL_OUTPUTS_H

#include "options.h"

struct outputs {
    FILE *csv, *json; /* NULL where the option was not given */
};

/* Opens what --csv and --json name. Two options may not name one file, neither may one name what --text
 * reads. False after one line on stderr; outputs_close is needed in either case. */
bool outputs_open(struct outputs *out, const struct options *o);

/* False after one line on stderr if not everything could be written. */
bool outputs_close(struct outputs *out);

#endif
