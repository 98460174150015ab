/* The program's tables, escapes and figures, cell by cell. */
#include "../../examples/tool/escape.h"
#include "../../examples/tool/figure_axis.h"
#include "../../examples/tool/table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures;

static void expect(bool good, const char *what) {
    if (!good) {
        printf("wrong: %s\n", what);
        failures++;
    }
}

/* What write says is wanted. */
static void same(const char *said, const char *wanted) {
    if (strcmp(said, wanted) == 0)
        return;
    printf("wrong: this was said\n%s\nand this is wanted\n%s\n", said, wanted);
    failures++;
}

static char *said(const struct table *t, void (*write)(const struct table *t, FILE *out)) {
    static char text[4096];
    FILE *file = tmpfile();
    write(t, file);
    rewind(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    return text;
}

static const struct table_column columns[] = {
    {"name", "a name", TABLE_TEXT},   {"count", "n", TABLE_NUMBER},
    {"part", "part", TABLE_ESTIMATE}, {"bound", "bound", TABLE_RANGE},
    {"words", "what", TABLE_TEXT},    {NULL, NULL, TABLE_TEXT},
};

static void test_a_table_says_the_same_aligned_and_tidy(void) {
    struct pool pool = {0};
    struct table t;
    table_start(&t, &pool, columns);
    table_text(&t, "post %s", "x");
    table_integer(&t, INT64_C(9007199254740993));
    table_estimate(&t, 0.9866, 0.0123, 3);
    table_range(&t, 1.5, 2.25, 4);
    table_text(&t, "a, \"b\"");
    table_text(&t, "pre");
    table_significant(&t, 3, 1646.1);
    table_missing(&t);
    table_range(&t, 2, 2, 4);
    table_text(&t, "c");
    expect(table_rows(&t) == 2, "two rows");
    same(said(&t, table_print), "a name                n        part     bound what\n"
                                "post x 9007199254740993 0.987+-.012 1.5..2.25 a, \"b\"\n"
                                "pre            1.65e+03           -         2 c\n");
    same(said(&t, table_csv),
         "name,count,part,part_low,part_high,bound_low,bound_high,words\n"
         "post x,9007199254740993,0.9866,0.9743,0.9989,1.5,2.25,\"a, \"\"b\"\"\"\n"
         "pre,1646.1,,,,2,2,c\n");
    pool_free(&pool);
}

static const struct table_column estimates[] = {
    {"a", "a", TABLE_ESTIMATE}, {"b", "b", TABLE_NUMBER}, {NULL, NULL, TABLE_TEXT}};

static void test_what_is_not_finite_is_no_gap(void) {
    struct pool pool = {0};
    struct table t;
    table_start(&t, &pool, estimates);
    table_estimate(&t, -NAN, -NAN, 3);
    table_number(&t, 2, -NAN);
    table_relative(&t, 0, 1);
    table_number(&t, 1, INFINITY);
    table_relative(&t, -2, 4);
    table_number(&t, 3, -0.125);
    table_relative(&t, 0.1234, 0.002591);
    table_number(&t, 3, 1.0 / 3);
    table_fraction(&t, NAN, NAN, NAN);
    table_missing(&t);
    table_fraction(&t, 0.25, 0.0712, 0.515);
    table_missing(&t);
    same(said(&t, table_print), "              a      b\n"
                                "            nan    nan\n"
                                "              0    inf\n"
                                "       -2+-200% -0.125\n"
                                "   0.1234+-2.1%  0.333\n"
                                "            nan      -\n"
                                "0.250 [.07,.52]      -\n");
    same(said(&t, table_csv), "a,a_low,a_high,b\n"
                              "nan,nan,nan,nan\n"
                              "0,-1,1,inf\n"
                              "-2,-6,2,-0.125\n"
                              "0.1234,0.120809,0.125991,0.3333333333333333\n"
                              "nan,nan,nan,\n"
                              "0.25,0.0712,0.515,\n");
    pool_free(&pool);
}

static void test_many_rows_grow(void) {
    struct pool pool = {0};
    struct table t;
    table_start(&t, &pool, estimates + 1);
    for (int i = 0; i < 1000; i++)
        table_integer(&t, i);
    expect(table_rows(&t) == 1000 && strcmp(table_at(&t, 999, 0)->text, "999") == 0, "1000 rows");
    pool_free(&pool);
}

static const char *escaped(void (*escape)(FILE *out, const char *text), const char *text) {
    static char said_text[256];
    FILE *file = tmpfile();
    escape(file, text);
    rewind(file);
    said_text[fread(said_text, 1, sizeof said_text - 1, file)] = '\0';
    fclose(file);
    return said_text;
}

static void test_marks_are_text_in_every_format(void) {
    same(escaped(escape_html, "<a href=\"x\">&+-"), "&lt;a href=&quot;x&quot;&gt;&amp;\xC2\xB1");
    same(escaped(escape_html_code, "1+-2 \xFF\x01"), "1+-2 \xEF\xBF\xBD\xEF\xBF\xBD");
    same(escaped(escape_markdown, "||x_1|| <= [a](b)"), "\\|\\|x\\_1\\|\\| &lt;= \\[a\\](b)");
    same(escaped(escape_latex, "50% of $x_1$ & {y} \\ --set"),
         "50\\% of \\$x\\_1\\$ \\& \\{y\\} \\textbackslash{} -{}-{}set");
    same(escaped(escape_latex_code, "[a] +- 'b'"),
         "{[}a] +- \\textquotesingle{}b\\textquotesingle{}");
}

static void number(FILE *out, const char *text) {
    static const struct number_marks marks = {"$\\pm$", "$-$", "\\%", "e(", "-", ")"};
    escape_number(out, text, &marks);
}

static void test_numbers_are_spelled(void) {
    same(escaped(number, "-1.65e+03"), "$-$1.65e(3)");
    same(escaped(number, "2e-10+-2.1%"), "2e(-10)$\\pm$2.1\\%");
    same(escaped(number, "1e+00"), "1e(0)");
}

static void test_a_range_holds_its_values_and_ticks(void) {
    const double ranges[][2] = {{1, 12}, {0.3, 0.31}, {2, 2}, {1e-6, 1e9}, {3, 9000}, {5, 4}};
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++)
        for (int log = 0; log < 2; log++) {
            struct figure_axis a = axis_start(log);
            axis_widen(&a, ranges[i][0]);
            axis_widen(&a, ranges[i][1]);
            axis_widen(&a, NAN);
            axis_widen(&a, log ? -1 : ranges[i][0]);
            axis_close(&a, 300, 40);
            expect(axis_place(&a, ranges[i][0]) > 0 && axis_place(&a, ranges[i][1]) < 1, "inside");
            expect(a.ticks >= 2 && a.ticks <= 9, "two to nine ticks");
            for (int k = 0; k < a.ticks; k++)
                expect(axis_place(&a, a.tick[k]) > -1e-6 && axis_place(&a, a.tick[k]) < 1 + 1e-6 &&
                           (k == 0 || a.tick[k] > a.tick[k - 1]),
                       "ticks on the axis, increasing");
        }
}

static void test_an_empty_axis_has_a_range(void) {
    struct figure_axis a = axis_start(true);
    axis_widen(&a, -1);
    axis_close(&a, 300, 40);
    expect(a.low > 0 && a.low < a.high, "an empty axis");
}

/* series end in the same point, and above and below the panel's middle. */
static void test_labels_stand_a_line_apart_in_the_order_of_their_series(void) {
    struct pool pool = {0};
    struct figure f;
    struct figure_layout l;
    double ends[] = {1, 5, 5, 5.01, 9, 9};
    enum { ENDS = sizeof ends / sizeof ends[0] };
    figure_start(&f, &pool, "name", "caption", "x", "y", 0);
    for (int i = 0; i < ENDS; i++) {
        figure_series(&f, "label", FIGURE_LINE, FIGURE_DARK);
        figure_point(&f, 2, ends[i], NAN, NAN);
        figure_point(&f, 1, 3, 3, 3);
    }
    figure_arrange(&f, &l);
    for (int i = 0; i < ENDS; i++)
        for (int k = 0; k < i; k++) {
            double a = figure_label_height(&f, &l, i), b = figure_label_height(&f, &l, k);
            expect(fabs(a - b) >= FIGURE_FONT, "labels are a line apart");
            expect(ends[k] >= ends[i] || b < a, "labels are in the order of their series");
            expect(a <= figure_panel_box(&l, 0).top + 1e-9, "labels are beside the panel");
        }
    expect(f.point[0].x < f.point[1].x, "points are in the order of x");
    pool_free(&pool);
}

int main(void) {
    test_a_table_says_the_same_aligned_and_tidy();
    test_what_is_not_finite_is_no_gap();
    test_many_rows_grow();
    test_marks_are_text_in_every_format();
    test_numbers_are_spelled();
    test_a_range_holds_its_values_and_ticks();
    test_an_empty_axis_has_a_range();
    test_labels_stand_a_line_apart_in_the_order_of_their_series();
    return failures ? EXIT_FAILURE : EXIT_SUCCESS;
}
