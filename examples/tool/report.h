/* The human-readable report of a sweep. */
#ifndef TOOL_REPORT_H
#define TOOL_REPORT_H

#include "fits.h"
#include "summary.h"
#include "verdicts.h"

#include <stdio.h>

void report_print(FILE *out, const struct summary *s, const struct fits *f,
                  const struct verdicts *v);

/* The setting in one line: "theory setting, n = 32, V = 1000, 16 seeds 1..16". */
void report_setting(char *text, size_t size, const struct sweep *s);

#endif
