#include "document_writers.h"

#include "lnstab.h"

#include <limits.h>
#include <string.h>

void document_start(struct document *d, const char *title, const char *subtitle) {
    *d = (struct document){.shown = INT_MAX};
    d->title = pool_print(&d->pool, "%s", title);
    d->subtitle = pool_print(&d->pool, "%s", subtitle);
}

void document_free(struct document *d) {
    pool_free(&d->pool);
}

static struct part *add(struct document *d, enum part_kind kind) {
    struct part **parts = pool_grow(&d->pool, (void *)d->parts, d->count, &d->room, sizeof *parts);
    struct part *part = pool_allocate(&d->pool, sizeof *part);
    if (!parts || !part)
        return &d->spare;
    d->parts = parts;
    d->parts[d->count++] = part;
    part->kind = kind;
    return part;
}

void document_heading(struct document *d, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    add(d, PART_HEADING)->text = pool_vprint(&d->pool, format, arguments);
    va_end(arguments);
}

void document_paragraph(struct document *d, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    add(d, PART_PARAGRAPH)->text = pool_vprint(&d->pool, format, arguments);
    va_end(arguments);
}

struct table *document_table(struct document *d, const char *name, const char *caption,
                             const struct table_column *columns) {
    struct part *part = add(d, PART_TABLE);
    part->name = pool_print(&d->pool, "%s", name);
    part->text = caption ? pool_print(&d->pool, "%s", caption) : NULL;
    table_start(&part->table, &d->pool, columns);
    return &part->table;
}

struct figure *document_figure(struct document *d, const char *name, const char *caption,
                               const char *x_label, const char *y_label, unsigned axes) {
    struct part *part = add(d, PART_FIGURE);
    figure_start(&part->figure, &d->pool, name, caption, x_label, y_label, axes);
    part->name = part->figure.name;
    part->text = part->figure.caption;
    return &part->figure;
}

void document_code(struct document *d, const char *caption, const char *body) {
    struct part *part = add(d, PART_CODE);
    part->text = pool_print(&d->pool, "%s", caption);
    part->body = pool_print(&d->pool, "%s", body);
}

void document_origin(struct document *d, const struct origin *o) {
    document_heading(d, "Origin");
    document_paragraph(d, "%s", lnstab_build_info());
    document_code(d, "Command", origin_command(o, &d->pool));
}

void document_appendix(struct document *d) {
    d->shown = d->count;
}

static bool no_memory(const struct document *d) {
    if (d->pool.exhausted)
        usage_error("no memory for the report");
    return d->pool.exhausted;
}

const char *const document_formats[] = {"text", "markdown", "latex", NULL};

bool document_write(const struct document *d, enum document_format format, FILE *out) {
    static document_writer *const writers[DOCUMENT_FORMATS] = {
        [DOCUMENT_TEXT] = document_text,
        [DOCUMENT_MARKDOWN] = document_markdown,
        [DOCUMENT_LATEX] = document_latex,
        [DOCUMENT_HTML] = document_html,
    };
    return !no_memory(d) && writers[format](d, out);
}
