/* The writers of document_write, and what they share. */
#ifndef TOOL_DOCUMENT_WRITERS_H
#define TOOL_DOCUMENT_WRITERS_H

#include "document.h"

/* False after one line on stderr. */
typedef bool document_writer(const struct document *d, FILE *out);

document_writer document_text, document_markdown, document_latex, document_html;

/* Columns of the table that a part of verdicts holds. */
enum verdict_column {
    VERDICT_SOURCE,
    VERDICT_CLAIM,
    VERDICT_SUBJECT,
    VERDICT_MEASURED,
    VERDICT_PREDICTED,
    VERDICT_WORDS,
    VERDICT_VIOLATED
};

const char *verdict_text(const struct table *t, int row, enum verdict_column column);
/* True if row is the first about its claim. */
bool verdict_begins(const struct table *t, int row);
/* "source: claim". */
void verdict_claim(const struct table *t, int row, FILE *out,
                   void (*escape)(FILE *out, const char *text));
bool verdict_violated(const struct table *t, int row);

#endif
