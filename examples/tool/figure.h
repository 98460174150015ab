/* A figure of one or several panels with a shared y range, as numbers; gnuplot draws it.
 *
 * A series is labelled at its end instead of in a legend, and one accent stands among greys: what was
 * measured is the accent, what it is held against grey. */
#ifndef TOOL_FIGURE_H
#define TOOL_FIGURE_H

#include "pool.h"

#include <stdint.h>
#include <stdio.h>

enum { FIGURE_LOG_X = 1, FIGURE_LOG_Y = 2 };
enum figure_style { FIGURE_POINTS, FIGURE_LINE, FIGURE_DASHED, FIGURE_DOTTED };
enum figure_tone { FIGURE_ACCENT, FIGURE_DARK, FIGURE_MEDIUM, FIGURE_LIGHT };

struct figure_point {
    double x, y, low, high;
};

struct figure_series {
    const char *label; /* "" draws none */
    enum figure_style style;
    enum figure_tone tone;
    int panel, first, count; /* its points */
};

struct figure {
    struct pool *pool;
    const char *name; /* of its files: gradient_by_depth */
    const char *caption, *x_label, *y_label;
    unsigned axes;
    int panels, series_count, points;
    int panel_room, series_room, point_room;
    const char **panel; /* titles */
    struct figure_series *series;
    struct figure_point *point;
};

void figure_start(struct figure *f, struct pool *pool, const char *name, const char *caption,
                  const char *x_label, const char *y_label, unsigned axes);
/* Panels stand side by side, in rows where they are many; what follows goes into this one. Without it there
 * is one, without a title. */
void figure_panel(struct figure *f, const char *title);
void figure_series(struct figure *f, const char *label, enum figure_style style,
                   enum figure_tone tone);
/* The points of a series are kept in the order of x. low..high is the interval, low = high = y where
 * there is none. NaN is kept in the CSV and not drawn,
 * as is what a logarithmic axis has no place for. */
void figure_point(struct figure *f, double x, double y, double low, double high);

/* Panel, series, x, y, low, high: one point a line. */
void figure_csv(const struct figure *f, FILE *out);
/* What gnuplot reads: it draws NAME.csv, which lies beside it, to standard output, as SVG, or with
 * -e "png=1" as PNG. */
void figure_script(const struct figure *f, FILE *out);

/* False after one line on stderr: gnuplot cannot be started. */
bool figure_possible(void);
/* Writes NAME.csv, NAME.gp, NAME.svg and, if wished, NAME.png into directory. False after one line on
 * stderr. */
bool figure_write(const struct figure *f, const char *directory, bool png);
/* Writes the SVG of directory into a page: ids are the figure's own, colours follow the page's custom
 * properties. */
bool figure_inline(const struct figure *f, const char *directory, FILE *out);

#endif
