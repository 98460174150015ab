#include "escape.h"

#include "utf8.h"

#include <string.h>

struct spelling {
    const char *plain, *marked;
};

/* The row that text starts with; the table ends with NULL. */
static const struct spelling *find(const struct spelling *table, const char *text) {
    for (; table->plain; table++)
        if (strncmp(text, table->plain, strlen(table->plain)) == 0)
            return table;
    return NULL;
}

static void escape(FILE *out, const char *text, const struct spelling *table) {
    while (*text) {
        const struct spelling *s = find(table, text);
        int length = s ? (int)strlen(s->plain) : utf8_printable(text);
        if (s)
            fputs(s->marked, out);
        else if (length)
            fwrite(text, 1, (size_t)length, out);
        else
            fputs(*text == '\n' ? "\n" : "\xEF\xBF\xBD", out);
        text += length ? length : 1;
    }
}

#define HTML_MARKS                                                                                 \
    {"&", "&amp;"}, {"<", "&lt;"}, {">", "&gt;"}, {                                                \
        "\"", "&quot;"                                                                             \
    }
#define PLUS_MINUS "\xC2\xB1"

void escape_html_code(FILE *out, const char *text) {
    static const struct spelling table[] = {HTML_MARKS, {NULL, NULL}};
    escape(out, text, table);
}

void escape_html(FILE *out, const char *text) {
    static const struct spelling table[] = {{"+-", PLUS_MINUS}, HTML_MARKS, {NULL, NULL}};
    escape(out, text, table);
}

void escape_markdown(FILE *out, const char *text) {
    static const struct spelling table[] = {
        {"+-", PLUS_MINUS}, {"\n", " "},  {"&", "&amp;"}, {"<", "&lt;"}, {">", "&gt;"},
        {"\\", "\\\\"},     {"`", "\\`"}, {"*", "\\*"},   {"_", "\\_"},  {"[", "\\["},
        {"]", "\\]"},       {"#", "\\#"}, {"|", "\\|"},   {"~", "\\~"},  {NULL, NULL},
    };
    escape(out, text, table);
}

/* "[" and "*" behind a "\\" of a table would belong to it; hyphens would join to a dash. */
#define LATEX_MARKS                                                                                \
    {"\\", "\\textbackslash{}"}, {"{", "\\{"}, {"}", "\\}"}, {"#", "\\#"}, {"$", "\\$"},           \
        {"%", "\\%"}, {"&", "\\&"}, {"_", "\\_"}, {"~", "\\textasciitilde{}"},                     \
        {"^", "\\textasciicircum{}"}, {"<", "\\textless{}"}, {">", "\\textgreater{}"},             \
        {"|", "\\textbar{}"}, {"\"", "\\textquotedbl{}"}, {"`", "\\textasciigrave{}"},             \
        {"'", "\\textquotesingle{}"}, {"[", "{[}"}, {"*", "{*}"}, {                                \
        "--", "-{}-{}"                                                                             \
    }

void escape_latex_code(FILE *out, const char *text) {
    static const struct spelling table[] = {LATEX_MARKS, {NULL, NULL}};
    escape(out, text, table);
}

void escape_latex(FILE *out, const char *text) {
    static const struct spelling table[] = {
        {"+-", "$\\pm$"}, {"'", "'"}, LATEX_MARKS, {NULL, NULL}};
    escape(out, text, table);
}

/* Writes the power of ten at text and returns what is behind it; NULL if there is none. */
static const char *write_power(FILE *out, const char *text, const struct number_marks *marks) {
    if (*text != 'e' || (text[1] != '+' && text[1] != '-') || !*marks->power)
        return NULL;
    size_t digits = strspn(text + 2, "0123456789"), zeros = strspn(text + 2, "0");
    zeros = zeros < digits ? zeros : digits - 1;
    fprintf(out, "%s%s%.*s%s", marks->power, text[1] == '-' ? marks->exponent_minus : "",
            (int)(digits - zeros), text + 2 + zeros, marks->power_end);
    return text + 2 + digits;
}

void escape_number(FILE *out, const char *text, const struct number_marks *marks) {
    while (*text) {
        const char *behind = write_power(out, text, marks);
        if (behind) {
            text = behind;
            continue;
        }
        if (strncmp(text, "+-", 2) == 0)
            fputs(marks->plus_minus, out);
        else if (*text == '-')
            fputs(marks->minus, out);
        else if (*text == '%')
            fputs(marks->percent, out);
        else
            fputc(*text, out);
        text += strncmp(text, "+-", 2) == 0 ? 2 : 1;
    }
}
