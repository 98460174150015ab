#include "document.h"

#include "folder.h"

bool document_write_figures(const struct document *d, const char *directory, bool png) {
    bool good = true;
    for (int i = 0; good && i < d->count; i++)
        if (d->parts[i]->kind == PART_FIGURE)
            good = figure_write(&d->parts[i]->figure, directory, png);
    return good;
}

static bool write_table(const struct part *p, const char *directory) {
    FILE *file = folder_open(directory, p->name, ".csv");
    if (!file)
        return false;
    table_csv(&p->table, file);
    return folder_close(file, directory, p->name, ".csv");
}

bool document_write_tables(const struct document *d, const char *directory) {
    bool good = true;
    for (int i = 0; good && i < d->count; i++)
        if (d->parts[i]->kind == PART_TABLE || d->parts[i]->kind == PART_VERDICTS)
            good = write_table(d->parts[i], directory);
    return good;
}
