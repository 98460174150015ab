#include "figure_axis.h"

#include <math.h>
#include <string.h>

#define WIDTH 880.0
#define CHARACTER (0.58 * FIGURE_FONT) /* about the mean width of one */
#define LINE (1.25 * FIGURE_FONT)      /* of labels above each other  */

/* Bands around the panels. */
#define LEFT 62.0   /* ticks of y                     */
#define TOP 34.0    /* the label of y                 */
#define TITLE 26.0  /* above each panel               */
#define BOTTOM 28.0 /* ticks of x, below each panel   */
#define BELOW 30.0  /* the label of x, once           */
#define GAP 26.0    /* between a label and what comes */

static double label_room(const struct figure *f) {
    size_t longest = 0;
    for (int i = 0; i < f->series_count; i++) {
        size_t length = strlen(f->series[i].label);
        longest = length > longest ? length : longest;
    }
    longest = longest > FIGURE_LABEL_TEXT ? FIGURE_LABEL_TEXT : longest;
    return longest ? 8 + CHARACTER * (double)longest : 0;
}

static void place_panels(const struct figure *f, struct figure_layout *out) {
    static const double heights[] = {310, 200, 170};
    int panels = f->panels > 1 ? f->panels : 1;
    out->columns = panels == 4 ? 2 : panels < 3 ? panels : 3;
    out->rows = (panels + out->columns - 1) / out->columns;
    out->width = WIDTH;
    out->panel_height = heights[out->rows < 3 ? out->rows - 1 : 2];
    out->panel_width = (WIDTH - LEFT) / out->columns - label_room(f) - GAP;
    out->height = TOP + out->rows * (TITLE + out->panel_height + BOTTOM) + BELOW;
}

static bool drawn(const struct figure_layout *l, const struct figure_point *p) {
    return axis_takes(&l->x, p->x) && axis_takes(&l->y, p->y);
}

/* The different x of the figure, increasing; one more than there is room for if they are too many. */
static int different_x(const struct figure *f, const struct figure_layout *l, double *values) {
    int count = 0;
    for (int i = 0; i < f->points && count <= FIGURE_TICKS; i++) {
        int at = 0;
        while (at < count && values[at] < f->point[i].x)
            at++;
        if (!drawn(l, &f->point[i]) || (at < count && values[at] <= f->point[i].x))
            continue;
        memmove(values + at + 1, values + at, (size_t)(count++ - at) * sizeof *values);
        values[at] = f->point[i].x;
    }
    return count;
}

void figure_arrange(const struct figure *f, struct figure_layout *out) {
    double values[FIGURE_TICKS + 2];
    place_panels(f, out);
    out->x = axis_start(f->axes & FIGURE_LOG_X);
    out->y = axis_start(f->axes & FIGURE_LOG_Y);
    for (int i = 0; i < f->points; i++) {
        const struct figure_point *p = &f->point[i];
        if (!drawn(out, p))
            continue;
        axis_widen(&out->x, p->x);
        axis_widen(&out->y, p->y);
        axis_widen(&out->y, p->low);
        axis_widen(&out->y, p->high);
    }
    axis_close(&out->x, out->panel_width, 4 * CHARACTER);
    axis_close(&out->y, out->panel_height, 3 * FIGURE_FONT);
    if (out->x.log)
        axis_tick_values(&out->x, values, different_x(f, out, values), out->panel_width,
                         3.2 * CHARACTER);
}

struct figure_box figure_panel_box(const struct figure_layout *l, int panel) {
    int column = panel % l->columns, row = panel / l->columns;
    struct figure_box box = {.left = LEFT + column * (WIDTH - LEFT) / l->columns};
    box.right = box.left + l->panel_width;
    box.top = l->height - TOP - TITLE - row * (TITLE + l->panel_height + BOTTOM);
    box.bottom = box.top - l->panel_height;
    return box;
}

/* Where the series ends, or NaN. */
static double end_height(const struct figure *f, const struct figure_layout *l, int series) {
    const struct figure_series *s = &f->series[series];
    double x = -INFINITY, y = NAN;
    for (int i = s->first; *s->label && i < s->first + s->count; i++)
        if (drawn(l, &f->point[i]) && f->point[i].x >= x) {
            x = f->point[i].x;
            y = f->point[i].y;
        }
    return l->panel_height * axis_place(&l->y, y);
}

/* Moves heights, which increase, so that neighbours are a line apart: up from the lowest, then down from
 * the top of the panel. */
static void spread(double *heights, int count, double top) {
    for (int i = 1; i < count; i++)
        heights[i] = fmax(heights[i], heights[i - 1] + LINE);
    double most = top;
    for (int i = count - 1; i >= 0; i--, most -= LINE)
        heights[i] = fmin(heights[i], most);
}

double figure_label_height(const struct figure *f, const struct figure_layout *l, int series) {
    double heights[FIGURE_LABELS];
    int order[FIGURE_LABELS], count = 0;
    for (int i = 0; i < f->series_count && count < FIGURE_LABELS; i++) {
        double height = end_height(f, l, i);
        if (f->series[i].panel != f->series[series].panel || isnan(height))
            continue;
        int at = count++;
        for (; at > 0 && heights[at - 1] > height; at--) {
            heights[at] = heights[at - 1];
            order[at] = order[at - 1];
        }
        heights[at] = height;
        order[at] = i;
    }
    spread(heights, count, l->panel_height);
    for (int i = 0; i < count; i++)
        if (order[i] == series)
            return figure_panel_box(l, f->series[series].panel).bottom + heights[i];
    return NAN;
}
