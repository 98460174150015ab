/* LaTeX, to be read in by a document of one's own. */
#include "document_writers.h"

#include "escape.h"

#include <string.h>

static const struct number_marks marks = {.plus_minus = "$\\pm$",
                                          .minus = "$-$",
                                          .percent = "\\%",
                                          .power = "$\\times10^{",
                                          .exponent_minus = "-",
                                          .power_end = "}$"};

static void write_marked(const char *before, const char *text, const char *behind, FILE *out) {
    fputs(before, out);
    escape_latex(out, text);
    fputs(behind, out);
}

static void begin_table(const char *columns, FILE *out) {
    fprintf(out,
            "{\\footnotesize\\setlength{\\tabcolsep}{2pt}\n\\begin{longtable}{%s}\n\\toprule\n",
            columns);
}

static void end_table(FILE *out) {
    fputs("\\bottomrule\n\\end{longtable}}\n", out);
}

static void write_cell(enum table_kind kind, const struct table_cell *c, FILE *out) {
    if (c->missing)
        fputs("--", out);
    else if (kind == TABLE_TEXT)
        escape_latex(out, c->text);
    else
        escape_number(out, c->text, &marks);
}

static void write_table(const struct table *t, FILE *out) {
    char columns[64] = "";
    for (int i = 0; i < t->width && i < 63; i++)
        strcat(columns, t->columns[i].kind == TABLE_TEXT ? "l" : "r");
    begin_table(columns, out);
    for (int i = 0; i < t->width; i++)
        write_marked(i ? " & " : "", t->columns[i].heading, "", out);
    fputs(" \\\\\n\\midrule\n\\endhead\n", out);
    for (int row = 0; row < table_rows(t); row++) {
        for (int i = 0; i < t->width; i++) {
            fputs(i ? " & " : "", out);
            write_cell(t->columns[i].kind, table_at(t, row, i), out);
        }
        fputs(" \\\\\n", out);
    }
    end_table(out);
}

static void write_verdict(const struct table *t, int row, FILE *out) {
    for (int column = VERDICT_SUBJECT; column <= VERDICT_WORDS; column++) {
        bool loud = column == VERDICT_WORDS && verdict_violated(t, row);
        const char *text = verdict_text(t, row, (enum verdict_column)column);
        fputs(column == VERDICT_SUBJECT ? "" : " & ", out);
        if (strcmp(text, "-") == 0)
            fputs("--", out);
        else
            write_marked(loud ? "\\textbf{" : "", text, loud ? "}" : "", out);
    }
    fputs(" \\\\\n", out);
}

static void write_verdicts(const struct table *t, FILE *out) {
    begin_table("lrrp{0.42\\linewidth}", out);
    fputs("subject & measured & predicted & verdict \\\\\n\\midrule\n\\endhead\n", out);
    for (int i = 0; i < table_rows(t); i++) {
        if (verdict_begins(t, i)) {
            fputs(i ? "\\midrule\n" : "", out);
            fputs("\\multicolumn{4}{p{0.95\\linewidth}}{\\emph{", out);
            verdict_claim(t, i, out, escape_latex);
            fputs("}} \\\\*\n", out);
        }
        write_verdict(t, i, out);
    }
    end_table(out);
}

/* \verb would end at any character, and verbatim at its own end: each line is escaped instead. */
static void write_code(const struct part *p, FILE *out) {
    write_marked("", p->text, "\n\n{\\footnotesize\\ttfamily\\raggedright\\obeyspaces\\obeylines\n",
                 out);
    escape_latex_code(out, p->body);
    fputs("\n}\n", out);
}

static void write_figure(const struct document *d, const struct part *p, FILE *out) {
    fprintf(out, "%% inkscape %s/%s.svg --export-type=pdf, or --png and .png instead\n", d->figures,
            p->name);
    fprintf(out, "\\begin{figure}\n\\includegraphics[width=\\linewidth]{%s/%s}\n", d->figures,
            p->name);
    write_marked("\\caption{", p->text, "}\n\\end{figure}\n", out);
}

static void write_part(const struct document *d, const struct part *p, FILE *out) {
    if (p->kind == PART_FIGURE && !d->figures)
        return;
    fputc('\n', out);
    switch (p->kind) {
    case PART_HEADING:
        write_marked("\\subsection*{", p->text, "}\n", out);
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

bool document_latex(const struct document *d, FILE *out) {
    fputs("% Needs in the preamble:\n% \\usepackage[T1]{fontenc}\n% "
          "\\usepackage{textcomp,booktabs,longtable,graphicx}\n",
          out);
    write_marked("\\section*{", d->title, "}\n\n", out);
    write_marked("", d->subtitle, "\n", out);
    for (int i = 0; i < d->count; i++)
        write_part(d, d->parts[i], out);
    return true;
}
