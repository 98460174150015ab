/* One row a run, tidy, with '.' as the decimal point. */
#ifndef TOOL_CSV_H
#define TOOL_CSV_H

#include "sweep.h"

#include <stdio.h>

void csv_header(FILE *out);
void csv_job(FILE *out, const struct sweep *s, struct job job);

#endif
