/* A report as parts in order, which a writer for each format shows. */
#ifndef TOOL_DOCUMENT_H
#define TOOL_DOCUMENT_H

#include "figure.h"
#include "origin.h"
#include "table.h"

enum document_format {
    DOCUMENT_TEXT,
    DOCUMENT_MARKDOWN,
    DOCUMENT_LATEX,
    DOCUMENT_HTML,
    DOCUMENT_FORMATS
};

enum part_kind { PART_HEADING, PART_PARAGRAPH, PART_TABLE, PART_VERDICTS, PART_FIGURE, PART_CODE };

struct part {
    enum part_kind kind;
    const char *name; /* of a table: of its file         */
    const char *text; /* heading, paragraph or caption   */
    const char *body; /* of a code block                 */
    struct table table;
    struct figure figure;
};

/* What was measured says about a claim. */
struct verdict_line {
    const char *source, *claim; /* equal ones are neighbours; source may be "" */
    const char *subject;        /* what is judged: a placement                 */
    const char *measured, *predicted, *words;
    bool violated; /* what is proved does not hold */
};

struct document {
    struct pool pool;
    const char *title, *subtitle;
    const char *figures;    /* the directory that its figures were written to, or NULL */
    const char *drawings;   /* the same, or one that goes away: for pages              */
    int count, room, shown; /* parts from shown on are left out of text                */
    struct part **parts;
    struct part spare; /* takes what has no memory */
};

void document_start(struct document *d, const char *title, const char *subtitle);
void document_heading(struct document *d, const char *format, ...) PRINTF_LIKE(2, 3);
/* A line break in the text stands in the text format only. */
void document_paragraph(struct document *d, const char *format, ...) PRINTF_LIKE(2, 3);
/* To be filled. caption may be NULL where the heading says it. */
struct table *document_table(struct document *d, const char *name, const char *caption,
                             const struct table_column *columns);
struct figure *document_figure(struct document *d, const char *name, const char *caption,
                               const char *x_label, const char *y_label, unsigned axes);
void document_code(struct document *d, const char *caption, const char *body);
/* Goes into the part of the verdicts, which begins with the first one. */
void document_verdict(struct document *d, const struct verdict_line *v);
/* What follows tells how the report came about; the text format leaves it out. */
void document_appendix(struct document *d);
/* Version and exact command, as parts. */
void document_origin(struct document *d, const struct origin *o);
void document_free(struct document *d);

/* The words of --format, in their order; HTML is none of them. NULL behind the last. */
extern const char *const document_formats[];

/* False after one line on stderr if there was no memory for a part, or a figure cannot be read; whether all
 * could be written is for the owner of out to check. A page needs the figures, others name them if they
 * were written. */
bool document_write(const struct document *d, enum document_format format, FILE *out);
/* Every figure into directory, every table as NAME.csv. False after one line on stderr. */
bool document_write_figures(const struct document *d, const char *directory, bool png);
bool document_write_tables(const struct document *d, const char *directory);

#endif
