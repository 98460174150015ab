/* The range and the ticks of an axis. */
#ifndef TOOL_FIGURE_AXIS_H
#define TOOL_FIGURE_AXIS_H

#include "figure_layout.h"

/* True if the axis has a place for value. */
bool axis_takes(const struct figure_axis *a, double value);
/* 0 at its low end, 1 at its high one. */
double axis_place(const struct figure_axis *a, double value);

/* An axis starts empty, gets every value that it has to take, and is then closed: with some space at both
 * ends, and ticks that are apart pixels from each other on its length. */
struct figure_axis axis_start(bool log);
void axis_widen(struct figure_axis *a, double value);
void axis_close(struct figure_axis *a, double length, double apart);
/* Ticks at the values themselves, as far as they are few and apart: they increase. */
void axis_tick_values(struct figure_axis *a, const double *values, int count, double length,
                      double apart);

#endif
