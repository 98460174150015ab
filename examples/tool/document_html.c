/* One page that needs nothing else: no script, no font, no picture from elsewhere. */
#include "document_writers.h"

#include "escape.h"
#include "page_style.h"

#include <ctype.h>
#include <string.h>

#define MISSING "\xE2\x80\x93"
#define LONG_CODE 12 /* lines; longer code is folded away */

static const struct number_marks marks = {.plus_minus = "\xE2\x80\xAF\xC2\xB1\xE2\x80\xAF",
                                          .minus = "\xE2\x88\x92",
                                          .percent = "\xE2\x80\xAF%",
                                          .power = "\xC3\x97"
                                                   "10<sup>",
                                          .exponent_minus = "\xE2\x88\x92",
                                          .power_end = "</sup>"};

static void write_marked(const char *before, const char *text, const char *behind, FILE *out) {
    fputs(before, out);
    escape_html(out, text);
    fputs(behind, out);
}

/* The anchor of a heading: its letters and digits, and its place if an earlier heading has the same. */
static void write_anchor(const struct document *d, int at, FILE *out) {
    bool gap = false;
    for (const char *p = d->parts[at]->text; *p; p++) {
        bool word = isalnum((unsigned char)*p);
        if (word)
            fprintf(out, "%s%c", gap ? "-" : "", tolower((unsigned char)*p));
        gap = !word;
    }
    for (int i = 0; i < at; i++)
        if (d->parts[i]->kind == PART_HEADING &&
            strcmp(d->parts[i]->text, d->parts[at]->text) == 0) {
            fprintf(out, "-%d", at);
            break;
        }
}

static void write_contents(const struct document *d, FILE *out) {
    fputs("<nav aria-label=\"Contents\"><ul>\n", out);
    for (int i = 0; i < d->count; i++)
        if (d->parts[i]->kind == PART_HEADING) {
            fputs("<li><a href=\"#", out);
            write_anchor(d, i, out);
            write_marked("\">", d->parts[i]->text, "</a></li>\n", out);
        }
    fputs("</ul></nav>\n", out);
}

static void write_heading(const struct document *d, int at, FILE *out) {
    fputs("<h2 id=\"", out);
    write_anchor(d, at, out);
    write_marked("\">", d->parts[at]->text, "</h2>\n", out);
}

static void write_cell(const struct table *t, int row, int column, FILE *out) {
    const struct table_cell *c = table_at(t, row, column);
    bool words = t->columns[column].kind == TABLE_TEXT;
    const char *tag = column ? "td" : "th";
    fprintf(out, "<%s%s%s>", tag, column ? "" : " scope=\"row\"", words ? "" : " class=\"n\"");
    if (c->missing)
        fputs(MISSING, out);
    else if (words)
        escape_html(out, c->text);
    else
        escape_number(out, c->text, &marks);
    fprintf(out, "</%s>", tag);
}

/* True if row begins a group: it has another first cell than the row before. */
static bool begins_group(const struct table *t, int row) {
    return row > 0 && strcmp(table_at(t, row, 0)->text, table_at(t, row - 1, 0)->text) != 0;
}

static void open_table(const char *label, FILE *out) {
    write_marked("<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"", label,
                 "\"><table>\n", out);
}

static void write_table(const struct part *p, FILE *out) {
    const struct table *t = &p->table;
    open_table(p->name, out);
    if (p->text)
        write_marked("<caption>", p->text, "</caption>\n", out);
    fputs("<thead><tr>", out);
    for (int i = 0; i < t->width; i++)
        write_marked(t->columns[i].kind == TABLE_TEXT ? "<th scope=\"col\">"
                                                      : "<th scope=\"col\" class=\"n\">",
                     t->columns[i].heading, "</th>", out);
    fputs("</tr></thead>\n<tbody>\n", out);
    for (int row = 0; row < table_rows(t); row++) {
        fputs(begins_group(t, row) ? "<tr class=\"group\">" : "<tr>", out);
        for (int i = 0; i < t->width; i++)
            write_cell(t, row, i, out);
        fputs("</tr>\n", out);
    }
    fputs("</tbody></table></div>\n", out);
}

static void write_compared(const char *text, FILE *out) {
    write_marked("<td class=\"n\">", strcmp(text, "-") == 0 ? MISSING : text, "</td>", out);
}

static void write_verdict(const struct table *t, int row, FILE *out) {
    write_marked("<tr><th scope=\"row\">", verdict_text(t, row, VERDICT_SUBJECT), "</th>", out);
    write_compared(verdict_text(t, row, VERDICT_MEASURED), out);
    write_compared(verdict_text(t, row, VERDICT_PREDICTED), out);
    write_marked(verdict_violated(t, row) ? "<td class=\"words violated\">"
                                          : "<td class=\"words\">",
                 verdict_text(t, row, VERDICT_WORDS), "</td></tr>\n", out);
}

static void write_verdicts(const struct table *t, FILE *out) {
    open_table("verdicts", out);
    fputs(
        "<thead><tr><th scope=\"col\">subject</th><th scope=\"col\" class=\"n\">measured</th>"
        "<th scope=\"col\" class=\"n\">predicted</th><th scope=\"col\">verdict</th></tr></thead>\n",
        out);
    for (int i = 0; i < table_rows(t); i++) {
        if (verdict_begins(t, i)) {
            fputs(i ? "</tbody>\n" : "", out);
            fputs("<tbody><tr><th class=\"claim\" colspan=\"4\" scope=\"rowgroup\"><span>", out);
            verdict_claim(t, i, out, escape_html);
            fputs("</span></th></tr>\n", out);
        }
        write_verdict(t, i, out);
    }
    fputs(table_rows(t) ? "</tbody></table></div>\n" : "</table></div>\n", out);
}

static void write_code(const struct part *p, FILE *out) {
    int lines = 0;
    for (const char *line = p->body; (line = strchr(line, '\n')); line++)
        lines++;
    bool folded = lines > LONG_CODE;
    write_marked(folded ? "<details><summary>" : "<h3>", p->text, folded ? "</summary>" : "</h3>\n",
                 out);
    fputs("<pre tabindex=\"0\"><code>", out);
    escape_html_code(out, p->body);
    fprintf(out, "</code></pre>%s\n", folded ? "</details>" : "");
}

static bool write_figure(const struct document *d, const struct part *p, FILE *out) {
    fprintf(out, "<figure id=\"%s\"><div class=\"scroll\" tabindex=\"0\">\n", p->name);
    bool good = figure_inline(&p->figure, d->drawings, out);
    write_marked("</div><figcaption>", p->text, "</figcaption></figure>\n", out);
    return good;
}

static bool write_part(const struct document *d, int at, FILE *out) {
    const struct part *p = d->parts[at];
    switch (p->kind) {
    case PART_HEADING:
        write_heading(d, at, out);
        break;
    case PART_PARAGRAPH:
        write_marked("<p>", p->text, "</p>\n", out);
        break;
    case PART_TABLE:
        write_table(p, out);
        break;
    case PART_VERDICTS:
        write_verdicts(&p->table, out);
        break;
    case PART_FIGURE:
        return write_figure(d, p, out);
    case PART_CODE:
        write_code(p, out);
        break;
    }
    return true;
}

bool document_html(const struct document *d, FILE *out) {
    bool good = true;
    write_marked("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                 "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                 "<meta name=\"color-scheme\" content=\"light dark\">\n"
                 "<link rel=\"icon\" href=\"data:,\">\n<title>",
                 d->title, "</title>\n<style>\n", out);
    fprintf(out, "%s</style>\n</head>\n<body>\n<main>\n", page_style);
    write_marked("<h1>", d->title, "</h1>\n", out);
    write_marked("<p class=\"subtitle\">", d->subtitle, "</p>\n", out);
    write_contents(d, out);
    for (int i = 0; good && i < d->count; i++)
        good = write_part(d, i, out);
    fputs("</main>\n</body>\n</html>\n", out);
    return good;
}
