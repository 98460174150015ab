/* The human-readable report of a sweep. */
#ifndef TOOL_REPORT_H
#define TOOL_REPORT_H

#include "fits.h"
#include "summary.h"
#include "verdicts.h"

#include <stdio.h>

void report_print(FILE *out, const struct summary *s, const struct fits *f,
                  const struct verdicts *v);

#endif
