#include "table.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static bool next_row(struct table *t) {
    if (t->rows == t->room) {
        int room = t->room ? 2 * t->room : 16;
        void *larger = realloc(t->cells, (size_t)room * sizeof *t->cells);
        if (!larger)
            return false;
        t->cells = larger;
        t->room = room;
    }
    memset(t->cells[t->rows++], 0, sizeof *t->cells);
    return true;
}

void table_put(struct table *t, const char *format, ...) {
    if (t->at == 0 && !next_row(t)) {
        t->incomplete = true;
        return;
    }
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(t->cells[t->rows - 1][t->at], TABLE_TEXT, format, arguments);
    va_end(arguments);
    t->at = (t->at + 1) % t->columns;
}

void table_start(struct table *t, const char *headings) {
    *t = (struct table){.columns = 1};
    for (const char *bar = headings; (bar = strchr(bar, '|')); bar++)
        t->columns++;
    for (int i = 0; i < t->columns; i++) {
        int length = (int)strcspn(headings, "|");
        table_put(t, "%.*s", length, headings);
        headings += length + 1;
    }
}

static int column_width(const struct table *t, int column) {
    int widest = 0;
    for (int row = 0; row < t->rows; row++) {
        int length = (int)strlen(t->cells[row][column]);
        widest = length > widest ? length : widest;
    }
    return widest;
}

void table_print(struct table *t, FILE *out) {
    for (int row = 0; row < t->rows; row++)
        for (int i = 0; i < t->columns; i++) {
            int width = column_width(t, i);
            fprintf(out, "%*s%s", i == 0 ? -width : width + 1, t->cells[row][i],
                    i + 1 == t->columns ? "\n" : "");
        }
    if (t->incomplete)
        fputs("(not all rows: no memory)\n", out);
    free(t->cells);
}
