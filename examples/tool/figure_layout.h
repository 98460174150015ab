/* Where the parts of a figure stand, in pixels from the lower left corner of a figure of fixed width. */
#ifndef TOOL_FIGURE_LAYOUT_H
#define TOOL_FIGURE_LAYOUT_H

#include "figure.h"

#define FIGURE_FONT 13
#define FIGURE_TICKS 16
#define FIGURE_LABELS 32
#define FIGURE_LABEL_TEXT 28 /* characters of a label; longer ones are cut */

struct figure_axis {
    bool log;
    double low, high;
    int ticks;
    double tick[FIGURE_TICKS];
};

struct figure_layout {
    double width, height;
    int columns, rows;
    double panel_width, panel_height;
    struct figure_axis x, y;
};

struct figure_box {
    double left, right, bottom, top;
};

void figure_arrange(const struct figure *f, struct figure_layout *out);
struct figure_box figure_panel_box(const struct figure_layout *l, int panel);
/* The middle of a series' label, beside its last point or as near to it as the other labels of its panel
 * let it; NaN if it has none. */
double figure_label_height(const struct figure *f, const struct figure_layout *l, int series);

#endif
