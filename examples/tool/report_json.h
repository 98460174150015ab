/* The summary of a sweep as JSON: setting, cells with 95 % intervals, fits, verdicts. */
#ifndef TOOL_REPORT_JSON_H
#define TOOL_REPORT_JSON_H

#include "fits.h"
#include "summary.h"
#include "verdicts.h"

#include <stdio.h>

void report_json(FILE *out, const struct summary *s, const struct fits *f,
                 const struct verdicts *v);

#endif
