/* The parts of the report, and how it writes numbers. */
#ifndef TOOL_REPORT_PARTS_H
#define TOOL_REPORT_PARTS_H

#include "fits.h"
#include "summary.h"
#include "table.h"

/* "0.1234+-2.1%", the 95 % interval relative to the mean. What no claim covers is "-" in all of them; a
 * number that is not finite stands there as such. */
void put_mean(struct table *t, struct estimate e);
/* "0.987+-.012". */
void put_interval(struct table *t, struct estimate e, bool covered);
/* "0.250 [.07,.52]". */
void put_fraction(struct table *t, const struct fraction *f);
void put_number(struct table *t, int digits, double value, bool covered);
void put_significant(struct table *t, double value, bool covered);

void print_gradients(FILE *out, const struct summary *s);
void print_gaps(FILE *out);
void print_states(FILE *out, const struct summary *s);
void print_fits(FILE *out, const struct fits *f, const struct grid *g, enum fit_axis axis);

#endif
