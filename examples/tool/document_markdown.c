/* Markdown with pipe tables, as most readers of it have them. */
#include "document_writers.h"

#include "escape.h"

#include <string.h>

static const struct number_marks marks = {
    .plus_minus = "\xC2\xB1", .minus = "-", .percent = "%", .power = ""};

static void write_cell(enum table_kind kind, const struct table_cell *c, FILE *out) {
    if (kind == TABLE_TEXT)
        escape_markdown(out, c->text);
    else
        escape_number(out, c->text, &marks);
}

static void write_table(const struct table *t, FILE *out) {
    for (int i = 0; i < t->width; i++) {
        fputs("| ", out);
        escape_markdown(out, t->columns[i].heading);
        fputc(' ', out);
    }
    fputs("|\n", out);
    for (int i = 0; i < t->width; i++)
        fputs(t->columns[i].kind == TABLE_TEXT ? "| :-- " : "| --: ", out);
    fputs("|\n", out);
    for (int row = 0; row < table_rows(t); row++) {
        for (int i = 0; i < t->width; i++) {
            fputs("| ", out);
            write_cell(t->columns[i].kind, table_at(t, row, i), out);
            fputc(' ', out);
        }
        fputs("|\n", out);
    }
}

static void write_verdicts(const struct table *t, FILE *out) {
    for (int i = 0; i < table_rows(t); i++) {
        if (verdict_begins(t, i)) {
            fputs(i ? "\n" : "", out);
            verdict_claim(t, i, out, escape_markdown);
            fputs("\n\n| subject | measured | predicted | verdict |\n| :-- | --: | --: | :-- |\n",
                  out);
        }
        for (int column = VERDICT_SUBJECT; column <= VERDICT_WORDS; column++) {
            bool loud = column == VERDICT_WORDS && verdict_violated(t, i);
            fputs(loud ? "| **" : "| ", out);
            escape_markdown(out, verdict_text(t, i, (enum verdict_column)column));
            fputs(loud ? "** " : " ", out);
        }
        fputs("|\n", out);
    }
}

/* A block by indentation: nothing in it can end it. */
static void write_code(const struct part *p, FILE *out) {
    escape_markdown(out, p->text);
    fputs("\n\n", out);
    for (const char *line = p->body; *line;) {
        int length = (int)strcspn(line, "\n");
        fprintf(out, "    %.*s\n", length, line);
        line += length + (line[length] == '\n');
    }
}

static void write_marked(const char *before, const char *text, const char *behind, FILE *out) {
    fputs(before, out);
    escape_markdown(out, text);
    fputs(behind, out);
}

static void write_figure(const struct document *d, const struct part *p, FILE *out) {
    write_marked("![", p->text, "](<", out);
    fprintf(out, "%s/%s.svg>)\n", d->figures, p->name);
}

static void write_part(const struct document *d, const struct part *p, FILE *out) {
    if (p->kind == PART_FIGURE && !d->figures)
        return;
    fputc('\n', out);
    switch (p->kind) {
    case PART_HEADING:
        write_marked("## ", p->text, "\n", out);
        break;
    case PART_PARAGRAPH:
        write_marked("", p->text, "\n", out);
        break;
    case PART_TABLE:
        if (p->text)
            write_marked("", p->text, "\n\n", out);
        write_table(&p->table, out);
        break;
    case PART_VERDICTS:
        write_verdicts(&p->table, out);
        break;
    case PART_FIGURE:
        write_figure(d, p, out);
        break;
    case PART_CODE:
        write_code(p, out);
        break;
    }
}

bool document_markdown(const struct document *d, FILE *out) {
    write_marked("# ", d->title, "\n\n", out);
    write_marked("", d->subtitle, "\n", out);
    for (int i = 0; i < d->count; i++)
        write_part(d, d->parts[i], out);
    return true;
}
