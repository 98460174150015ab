#include "table.h"

#include "not_finite.h"

#include <inttypes.h>
#include <string.h>

void table_start(struct table *t, struct pool *pool, const struct table_column *columns) {
    *t = (struct table){.pool = pool, .columns = columns};
    while (columns[t->width].name)
        t->width++;
}

static void push(struct table *t, struct table_cell cell) {
    struct table_cell *cells = pool_grow(t->pool, t->cells, t->count, &t->room, sizeof *cells);
    if (!cells)
        return;
    t->cells = cells;
    t->cells[t->count++] = cell;
}

void table_text(struct table *t, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    push(t, (struct table_cell){.text = pool_vprint(t->pool, format, arguments), .exact = true});
    va_end(arguments);
}

void table_integer(struct table *t, int64_t value) {
    table_text(t, "%" PRId64, value);
}

static void push_value(struct table *t, const char *text, double value, double low, double high) {
    push(t, (struct table_cell){.text = text, .value = value, .low = low, .high = high});
}

void table_number(struct table *t, int digits, double value) {
    push_value(t, pool_print(t->pool, "%.*f", digits, shown(value)), value, value, value);
}

void table_significant(struct table *t, int digits, double value) {
    push_value(t, pool_print(t->pool, "%.*g", digits, shown(value)), value, value, value);
}

/* Without the 0 before the point, to save room. */
static const char *shortened(struct pool *pool, int digits, double value) {
    const char *text = pool_print(pool, "%.*f", digits, shown(value));
    return *text == '0' ? text + 1 : text;
}

void table_estimate(struct table *t, double mean, double half, int digits) {
    const char *text = isfinite(half) ? pool_print(t->pool, "%.*f+-%s", digits, mean,
                                                   shortened(t->pool, digits, half))
                                      : pool_print(t->pool, "%.*f", digits, shown(mean));
    push_value(t, text, mean, mean - half, mean + half);
}

void table_relative(struct table *t, double mean, double half) {
    double percent = 100 * half / fabs(mean);
    const char *text;
    if (!isfinite(percent))
        text = pool_print(t->pool, "%.4g", shown(mean));
    else if (percent < 100)
        text = pool_print(t->pool, "%.4g+-%.2g%%", mean, percent);
    else
        text = pool_print(t->pool, "%.4g+-%.0f%%", mean, percent);
    push_value(t, text, mean, mean - half, mean + half);
}

void table_fraction(struct table *t, double value, double low, double high) {
    const char *text = isnan(value)
                           ? "nan"
                           : pool_print(t->pool, "%.3f [%s,%s]", value, shortened(t->pool, 2, low),
                                        shortened(t->pool, 2, high));
    push_value(t, text, value, low, high);
}

void table_range(struct table *t, double low, double high, int digits) {
    const char *text = high - low < 1e-12
                           ? pool_print(t->pool, "%.*g", digits, high)
                           : pool_print(t->pool, "%.*g..%.*g", digits, low, digits, high);
    push_value(t, text, low, low, high);
}

void table_missing(struct table *t) {
    push(t, (struct table_cell){.text = "-", .missing = true});
}

int table_rows(const struct table *t) {
    return t->count / t->width;
}

const struct table_cell *table_at(const struct table *t, int row, int column) {
    return &t->cells[row * t->width + column];
}

static int column_width(const struct table *t, int column) {
    size_t widest = strlen(t->columns[column].heading);
    for (int row = 0; row < table_rows(t); row++) {
        size_t length = strlen(table_at(t, row, column)->text);
        widest = length > widest ? length : widest;
    }
    return (int)widest;
}

/* Row -1 is the headings. Nothing pads the end of a line. */
static void print_cell(const struct table *t, FILE *out, int row, int column) {
    const char *text = row < 0 ? t->columns[column].heading : table_at(t, row, column)->text;
    bool left = t->columns[column].kind == TABLE_TEXT, last = column + 1 == t->width;
    int width = left && last ? 0 : column_width(t, column);
    fprintf(out, "%s%*s%s", column ? " " : "", left ? -width : width, text, last ? "\n" : "");
}

void table_print(const struct table *t, FILE *out) {
    for (int row = -1; row < table_rows(t); row++)
        for (int i = 0; i < t->width; i++)
            print_cell(t, out, row, i);
}
