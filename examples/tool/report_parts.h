/* The parts of the report, and how it writes numbers. */
#ifndef TOOL_REPORT_PARTS_H
#define TOOL_REPORT_PARTS_H

#include "fits.h"
#include "summary.h"
#include "table.h"

/* "0.1234+-2.1%", the 95 % interval relative to the mean. Those of numbers write "-" for NaN. */
void put_mean(struct table *t, struct estimate e);
/* "0.987+-.012". */
void put_interval(struct table *t, struct estimate e);
/* "0.250 [.07,.52]". */
void put_fraction(struct table *t, const struct fraction *f);
void put_number(struct table *t, int digits, double value);
void put_significant(struct table *t, double value);

void print_gradients(FILE *out, const struct summary *s);
void print_gaps(FILE *out);
void print_states(FILE *out, const struct summary *s);
void print_fits(FILE *out, const struct fits *f, const struct grid *g, enum fit_axis axis);

#endif
