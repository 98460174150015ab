#include "report_parts.h"

#include <inttypes.h>
#include <math.h>

#define RATIO_LABEL "||dL_i/dW_2|| / ||g_i||, last layer"

/* An axis of the grid that a figure runs along, the others at the last ratio and the largest size. */
struct course {
    enum fit_axis axis;
    int count;
    struct cell at;
};

static int largest(const int64_t *values, int count) {
    int most = 0;
    for (int i = 1; i < count; i++)
        most = values[i] > values[most] ? i : most;
    return most;
}

static struct course course_along(const struct grid *g, enum fit_axis axis) {
    struct cell at = {0, g->ratios - 1, largest(g->width, g->widths), largest(g->depth, g->depths)};
    return (struct course){axis, axis == ALONG_DEPTH ? g->depths : g->widths, at};
}

static struct cell cell_of(const struct course *c, int placement, int i) {
    struct cell at = c->at;
    at.placement = placement;
    *(c->axis == ALONG_DEPTH ? &at.depth : &at.width) = i;
    return at;
}

static double x_of(const struct grid *g, const struct course *c, int i) {
    return (double)(c->axis == ALONG_DEPTH ? g->depth[i] : g->width[i]);
}

static void put_measured(struct figure *f, const struct summary *s, const struct course *c,
                         int placement) {
    for (int i = 0; i < c->count; i++) {
        struct estimate e = summary_at(s, cell_of(c, placement, i))->of[RATIO];
        double half = half_width(e, 0.05);
        figure_point(f, x_of(s->sweep->setting.grid, c, i), e.mean, e.mean - half, e.mean + half);
    }
}

static void put_prediction(struct figure *f, const struct summary *s, const struct course *c,
                           int placement, double (*of)(const struct prediction *p)) {
    for (int i = 0; i < c->count; i++) {
        double y = of(&summary_at(s, cell_of(c, placement, i))->prediction);
        figure_point(f, x_of(s->sweep->setting.grid, c, i), y, y, y);
    }
}

static double rank_one(const struct prediction *p) {
    return p->ratio;
}

static double printed_bound(const struct prediction *p) {
    return p->printed;
}

/* "L = 12 and rho = 4", what a course holds still. */
static const char *held(struct pool *pool, const struct grid *g, const struct course *c) {
    bool depth = c->axis == ALONG_DEPTH;
    return pool_print(pool, "%s = %" PRId64 " and rho = %g", depth ? "d" : "L",
                      depth ? g->width[c->at.width] : g->depth[c->at.depth], g->ratio[c->at.ratio]);
}

static const char *x_label(const struct course *c) {
    return c->axis == ALONG_DEPTH ? "L, layers" : "d, width";
}

static void report_course(struct document *d, const struct summary *s, enum fit_axis axis) {
    const struct grid *g = s->sweep->setting.grid;
    struct course c = course_along(g, axis);
    if (c.count < 2)
        return;
    const char *caption = pool_print(
        &d->pool,
        "The last layer's gradient against %s, for %s: the mean over %d seeds with its 95 %% "
        "interval, the rank-one prediction, and the bound of Theorem 1 as printed, over C_g.",
        axis == ALONG_DEPTH ? "depth" : "width", held(&d->pool, g, &c), s->sweep->seeds);
    struct figure *f =
        document_figure(d, axis == ALONG_DEPTH ? "gradient_by_depth" : "gradient_by_width", caption,
                        x_label(&c), RATIO_LABEL, FIGURE_LOG_X | FIGURE_LOG_Y);
    for (int p = 0; p < g->placements; p++) {
        figure_panel(f, g->placement[p].label);
        figure_series(f, "printed bound", FIGURE_DASHED, FIGURE_MEDIUM);
        put_prediction(f, s, &c, p, printed_bound);
        figure_series(f, "predicted", FIGURE_LINE, FIGURE_DARK);
        put_prediction(f, s, &c, p, rank_one);
        figure_series(f, "measured", FIGURE_POINTS, FIGURE_ACCENT);
        put_measured(f, s, &c, p);
    }
}

/* Along depth, or along width where there is but one depth. */
static void report_comparison(struct document *d, const struct summary *text,
                              const struct summary *gaussian) {
    const struct grid *g = text->sweep->setting.grid;
    struct course c = course_along(g, g->depths < 2 && g->widths > 1 ? ALONG_WIDTH : ALONG_DEPTH);
    const char *caption = pool_print(
        &d->pool,
        "The last layer's gradient on the bytes of a text, and on i.i.d. N(0, I) inputs with the "
        "same seeds, for %s: means over %d seeds with 95 %% intervals, and the rank-one "
        "prediction, which is for i.i.d. inputs.",
        held(&d->pool, g, &c), text->sweep->seeds);
    struct figure *f = document_figure(d, "text_against_gaussian", caption, x_label(&c),
                                       RATIO_LABEL, FIGURE_LOG_X | FIGURE_LOG_Y);
    for (int p = 0; p < g->placements; p++) {
        figure_panel(f, g->placement[p].label);
        figure_series(f, "predicted", FIGURE_LINE, FIGURE_DARK);
        put_prediction(f, gaussian, &c, p, rank_one);
        figure_series(f, "Gaussian", FIGURE_POINTS, FIGURE_MEDIUM);
        put_measured(f, gaussian, &c, p);
        figure_series(f, "text", FIGURE_POINTS, FIGURE_ACCENT);
        put_measured(f, text, &c, p);
    }
}

void report_figures(struct document *d, const struct findings *f) {
    report_course(d, &f->summary, ALONG_DEPTH);
    report_course(d, &f->summary, ALONG_WIDTH);
    if (f->gaussian.cells)
        report_comparison(d, &f->summary, &f->gaussian);
}
