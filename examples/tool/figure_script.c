#include "figure_axis.h"

#include <math.h>
#include <string.h>

#define ASIDE 7.0 /* between points of the same x */
#define SCALE 2   /* of a PNG, whose fonts are in points: 3/4 of the pixels that SVG takes */

/* Known to figure_inline.c, which makes them follow the page. */
static const char *const tones[] = {
    [FIGURE_ACCENT] = "#0b62a4",
    [FIGURE_DARK] = "#333333",
    [FIGURE_MEDIUM] = "#666666",
    [FIGURE_LIGHT] = "#999999",
};

/* A text of gnuplot, of at most most characters of UTF-8. In single quotes only the quote is special. */
static void write_text(FILE *out, const char *text, int most) {
    fputc('\'', out);
    for (; *text; text++) {
        bool starts = ((unsigned char)*text & 0xC0) != 0x80;
        if (starts && most-- == 1 && text[1]) {
            fputs("...", out);
            break;
        }
        fprintf(out, *text == '\'' ? "''" : "%c", *text == '\n' ? ' ' : *text);
    }
    fputc('\'', out);
}

static void write_heading(const struct figure *f, const struct figure_layout *l, FILE *out) {
    fprintf(out,
            "# Draws %s.csv, which lies beside this file, as SVG to standard output; with\n"
            "# gnuplot -e \"png=1\" %s.gp, as PNG.\n"
            "data = ARG0[1:strlen(ARG0) - strlen('%s.gp')] . '%s.csv'\n",
            f->name, f->name, f->name, f->name);
    fprintf(out,
            "if (exists('png')) {\n"
            "    set terminal pngcairo noenhanced size %.0f,%.0f font 'sans,%d' fontscale %g \\\n"
            "        linewidth %d pointscale %d background rgb '#ffffff'\n"
            "} else {\n"
            "    set terminal svg noenhanced size %.0f,%.0f font 'sans-serif,%d' name '%s' \\\n"
            "        background rgb '#ffffff'\n"
            "}\n",
            SCALE * l->width, SCALE * l->height, FIGURE_FONT, SCALE * 0.75, SCALE, SCALE, l->width,
            l->height, FIGURE_FONT, f->name);
}

static void write_style(const struct figure_layout *l, FILE *out) {
    fprintf(out,
            "set encoding utf8\n"
            "set datafile separator comma\n"
            "low = %.17g\n"
            "high = %.17g\n"
            "# An end of an interval that is not finite is its point; the axis cuts the others.\n"
            "end(v, y) = v == v ? (v < low ? low : v > high ? high : v) : y\n"
            "set border 3 linecolor rgb '%s'\n"
            "set grid ytics linetype 1 linecolor rgb '#e4e4e4' linewidth 0.7\n"
            "set errorbars 0.5\n"
            "set pointintervalbox 0\n"
            "set tics nomirror out scale 0.5 textcolor rgb '%s'\n",
            l->y.low, l->y.high, tones[FIGURE_MEDIUM], tones[FIGURE_MEDIUM]);
}

static void write_axis(const struct figure_axis *a, char letter, FILE *out) {
    if (a->log)
        fprintf(out, "set logscale %c 10\n", letter);
    fprintf(out, "set %crange [%.17g:%.17g]\n", letter, a->low, a->high);
}

static void write_ticks(const struct figure_axis *a, char letter, bool labelled, FILE *out) {
    fprintf(out, "set %ctics (", letter);
    for (int i = 0; i < a->ticks; i++) {
        fprintf(out, i ? ", " : "");
        if (labelled)
            fprintf(out, "'%.6g' %.17g", a->tick[i], a->tick[i]);
        else
            fprintf(out, "'' %.17g", a->tick[i]);
    }
    fputs(")\n", out);
}

static void write_label(const struct figure_layout *l, const char *text, int most, double x,
                        double y, const char *align, enum figure_tone tone, FILE *out) {
    fputs("set label ", out);
    write_text(out, text, most);
    fprintf(out, " at screen %.6f, screen %.6f %s textcolor rgb '%s'\n", x / l->width,
            y / l->height, align, tones[tone]);
}

/* "L (layers), logarithmic". */
static void write_axis_label(const struct figure_layout *l, const char *text, bool log, double x,
                             double y, FILE *out) {
    char label[160];
    snprintf(label, sizeof label, "%s%s", text, log ? " (log scale)" : "");
    write_label(l, label, 110, x, y, "left", FIGURE_DARK, out);
}

/* How far a series of points stands beside its x, in pixels: several in a panel would hide each other. */
static double aside(const struct figure *f, const struct figure_series *s) {
    int all = 0, before = 0;
    for (int i = 0; i < f->series_count; i++)
        if (f->series[i].panel == s->panel && f->series[i].style == FIGURE_POINTS) {
            all++;
            before += &f->series[i] < s;
        }
    return ASIDE * (before - 0.5 * (all - 1));
}

static void write_points(const struct figure *f, const struct figure_layout *l,
                         const struct figure_series *s, FILE *out) {
    double part = aside(f, s) / l->panel_width;
    if (l->x.log)
        fprintf(out, "($3*%.6f)", pow(l->x.high / l->x.low, part));
    else
        fprintf(out, "($3+%.6g)", part * (l->x.high - l->x.low));
    fprintf(out,
            ":4:(end($5, $4)):(end($6, $4)) with yerrorbars pointtype 7 pointsize 0.5 "
            "linewidth 1.4 linecolor rgb '%s' notitle",
            tones[s->tone]);
}

static void write_series(const struct figure *f, const struct figure_layout *l,
                         const struct figure_series *s, FILE *out) {
    static const char *const dashes[] = {
        [FIGURE_LINE] = "1", [FIGURE_DASHED] = "'- '", [FIGURE_DOTTED] = "'. '"};
    if (!s->count)
        return;
    fprintf(out, ", \\\n    data skip 1 every ::%d::%d using ", s->first, s->first + s->count - 1);
    if (s->style == FIGURE_POINTS)
        write_points(f, l, s, out);
    else
        fprintf(out, "3:4 with lines dashtype %s linewidth 1.6 linecolor rgb '%s' notitle",
                dashes[s->style], tones[s->tone]);
}

static void write_panel(const struct figure *f, const struct figure_layout *l, int panel,
                        FILE *out) {
    struct figure_box box = figure_panel_box(l, panel);
    fprintf(out,
            "\nset lmargin at screen %.6f\nset rmargin at screen %.6f\n"
            "set bmargin at screen %.6f\nset tmargin at screen %.6f\n",
            box.left / l->width, box.right / l->width, box.bottom / l->height, box.top / l->height);
    write_ticks(&l->x, 'x', panel + l->columns >= f->panels, out);
    write_ticks(&l->y, 'y', panel % l->columns == 0, out);
    if (f->panels)
        write_label(l, f->panel[panel], (int)(l->panel_width / (0.6 * FIGURE_FONT)) + 8, box.left,
                    box.top + FIGURE_FONT, "left", FIGURE_DARK, out);
    for (int i = 0; i < f->series_count; i++) {
        const struct figure_series *s = &f->series[i];
        double height = s->panel == panel ? figure_label_height(f, l, i) : NAN;
        if (!isnan(height))
            write_label(l, s->label, FIGURE_LABEL_TEXT, box.right + 8, height, "left",
                        s->tone == FIGURE_LIGHT ? FIGURE_MEDIUM : s->tone, out);
    }
    fputs("plot NaN notitle", out);
    for (int i = 0; i < f->series_count; i++)
        if (f->series[i].panel == panel)
            write_series(f, l, &f->series[i], out);
    fputs("\nunset label\n", out);
}

void figure_script(const struct figure *f, FILE *out) {
    struct figure_layout l;
    figure_arrange(f, &l);
    struct figure_box first = figure_panel_box(&l, 0);
    write_heading(f, &l, out);
    write_style(&l, out);
    write_axis(&l.x, 'x', out);
    write_axis(&l.y, 'y', out);
    fputs("set multiplot\n", out);
    write_axis_label(&l, f->y_label, l.y.log, 6, l.height - FIGURE_FONT, out);
    write_axis_label(&l, f->x_label, l.x.log, first.left, FIGURE_FONT, out);
    for (int i = 0; i < (f->panels ? f->panels : 1); i++)
        write_panel(f, &l, i, out);
    fputs("unset multiplot\n", out);
}
