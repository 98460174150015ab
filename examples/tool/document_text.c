/* Plain text: a blank line before each part. */
#include "document_writers.h"

#include <string.h>

static int widest_subject(const struct table *t) {
    size_t widest = 0;
    for (int i = 0; i < table_rows(t); i++) {
        size_t length = strlen(verdict_text(t, i, VERDICT_SUBJECT));
        widest = length > widest ? length : widest;
    }
    return (int)widest;
}

static void as_it_is(FILE *out, const char *text) {
    fputs(text, out);
}

/* Nothing stands between the placement and the words where nothing was compared. */
static void write_verdict(const struct table *t, int row, int width, FILE *out) {
    const char *measured = verdict_text(t, row, VERDICT_MEASURED);
    const char *predicted = verdict_text(t, row, VERDICT_PREDICTED);
    fprintf(out, "  %-*s", width, verdict_text(t, row, VERDICT_SUBJECT));
    if (strcmp(measured, "-") != 0 || strcmp(predicted, "-") != 0)
        fprintf(out, "  %15s %14s", measured, predicted);
    fprintf(out, "  %s\n", verdict_text(t, row, VERDICT_WORDS));
}

static void write_verdicts(const struct table *t, FILE *out) {
    int width = widest_subject(t);
    for (int i = 0; i < table_rows(t); i++) {
        if (verdict_begins(t, i)) {
            fputs(i ? "\n" : "", out);
            verdict_claim(t, i, out, as_it_is);
            fputc('\n', out);
        }
        write_verdict(t, i, width, out);
    }
}

static void write_part(const struct document *d, const struct part *p, FILE *out) {
    if (p->kind == PART_FIGURE && !d->figures)
        return;
    fputc('\n', out);
    switch (p->kind) {
    case PART_HEADING:
    case PART_PARAGRAPH:
        fprintf(out, "%s\n", p->text);
        break;
    case PART_TABLE:
        if (p->text)
            fprintf(out, "%s\n\n", p->text);
        table_print(&p->table, out);
        break;
    case PART_VERDICTS:
        write_verdicts(&p->table, out);
        break;
    case PART_FIGURE:
        fprintf(out, "Figure: %s/%s.svg\n", d->figures, p->name);
        break;
    case PART_CODE:
        fprintf(out, "%s\n\n%s\n", p->text, p->body);
        break;
    }
}

bool document_text(const struct document *d, FILE *out) {
    fprintf(out, "%s\n%s\n", d->title, d->subtitle);
    for (int i = 0; i < d->count && i < d->shown; i++)
        write_part(d, d->parts[i], out);
    return true;
}
