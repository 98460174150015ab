/* The parts of the report. */
#ifndef TOOL_REPORT_PARTS_H
#define TOOL_REPORT_PARTS_H

#include "report.h"

/* "0.1234+-2.1%", the 95 % interval relative to the mean. What no claim covers is missing in all of them;
 * a number that is not finite stands there as such. */
void put_mean(struct table *t, struct estimate e);
/* "0.987+-.012". */
void put_interval(struct table *t, struct estimate e, bool covered);
void put_number(struct table *t, int digits, double value, bool covered);
void put_significant(struct table *t, double value, bool covered);

void report_gradients(struct document *d, const struct summary *s);
void report_gaps(struct document *d);
void report_states(struct document *d, const struct summary *s);
void report_fits(struct document *d, const struct fits *f, const struct grid *g,
                 enum fit_axis axis);
void report_figures(struct document *d, const struct findings *f);
/* How the run was set up: the options that count, and the first cell as the library describes it. */
bool report_configuration(struct document *d, const struct sweep *s);

#endif
