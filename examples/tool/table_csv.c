#include "table.h"

#include "fields.h"

/* The fields that each kind of column has. */
static const struct suffixes {
    const char *suffix[3];
    int count;
} suffixes[] = {
    [TABLE_TEXT] = {{""}, 1},
    [TABLE_NUMBER] = {{""}, 1},
    [TABLE_ESTIMATE] = {{"", "_low", "_high"}, 3},
    [TABLE_RANGE] = {{"_low", "_high"}, 2},
};

static void write_names(const struct table_column *c, FILE *out) {
    for (int i = 0; i < suffixes[c->kind].count; i++)
        fprintf(out, "%s%s%s", i ? "," : "", c->name, suffixes[c->kind].suffix[i]);
}

static void write_cell(enum table_kind kind, const struct table_cell *c, FILE *out) {
    const double estimate[3] = {c->value, c->low, c->high};
    const double *numbers = kind == TABLE_RANGE ? estimate + 1 : estimate;
    for (int i = 0; i < suffixes[kind].count; i++) {
        if (i)
            fputc(',', out);
        if (c->exact && i == 0)
            field_text(out, c->text);
        else if (!c->missing && !c->exact)
            field_number(out, numbers[i]);
    }
}

void table_csv(const struct table *t, FILE *out) {
    for (int i = 0; i < t->width; i++) {
        fputs(i ? "," : "", out);
        write_names(&t->columns[i], out);
    }
    fputc('\n', out);
    for (int row = 0; row < table_rows(t); row++) {
        for (int i = 0; i < t->width; i++) {
            fputs(i ? "," : "", out);
            write_cell(t->columns[i].kind, table_at(t, row, i), out);
        }
        fputc('\n', out);
    }
}
