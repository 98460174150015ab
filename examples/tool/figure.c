#include "figure.h"

#include "fields.h"

void figure_start(struct figure *f, struct pool *pool, const char *name, const char *caption,
                  const char *x_label, const char *y_label, unsigned axes) {
    *f = (struct figure){.pool = pool,
                         .name = pool_print(pool, "%s", name),
                         .caption = pool_print(pool, "%s", caption),
                         .x_label = pool_print(pool, "%s", x_label),
                         .y_label = pool_print(pool, "%s", y_label),
                         .axes = axes};
}

void figure_panel(struct figure *f, const char *title) {
    const char **panel =
        pool_grow(f->pool, (void *)f->panel, f->panels, &f->panel_room, sizeof *panel);
    if (!panel)
        return;
    f->panel = panel;
    f->panel[f->panels++] = pool_print(f->pool, "%s", title);
}

void figure_series(struct figure *f, const char *label, enum figure_style style,
                   enum figure_tone tone) {
    if (!f->panels)
        figure_panel(f, "");
    struct figure_series *series =
        pool_grow(f->pool, f->series, f->series_count, &f->series_room, sizeof *series);
    if (!series || !f->panels)
        return;
    f->series = series;
    f->series[f->series_count++] = (struct figure_series){
        pool_print(f->pool, "%s", label), style, tone, f->panels - 1, f->points, 0};
}

void figure_point(struct figure *f, double x, double y, double low, double high) {
    struct figure_point *point =
        pool_grow(f->pool, f->point, f->points, &f->point_room, sizeof *point);
    if (!point || !f->series_count)
        return;
    f->point = point;
    struct figure_series *s = &f->series[f->series_count - 1];
    int at = f->points++;
    for (; at > s->first && point[at - 1].x > x; at--)
        point[at] = point[at - 1];
    point[at] = (struct figure_point){x, y, low, high};
    s->count++;
}

static void write_point(const struct figure *f, const struct figure_series *s,
                        const struct figure_point *p, FILE *out) {
    const double numbers[] = {p->x, p->y, p->low, p->high};
    field_text(out, f->panel[s->panel]);
    fputc(',', out);
    field_text(out, s->label);
    for (int i = 0; i < 4; i++) {
        fputc(',', out);
        field_number(out, numbers[i]);
    }
    fputc('\n', out);
}

void figure_csv(const struct figure *f, FILE *out) {
    fputs("panel,series,x,y,low,high\n", out);
    for (int i = 0; i < f->series_count; i++)
        for (int k = 0; k < f->series[i].count; k++)
            write_point(f, &f->series[i], &f->point[f->series[i].first + k], out);
}
