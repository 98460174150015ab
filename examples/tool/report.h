/* The report of a sweep as a document. */
#ifndef TOOL_REPORT_H
#define TOOL_REPORT_H

#include "document.h"
#include "findings.h"

/* Names of all its tables and figures; NULL behind the last. */
extern const char *const report_names[];

/* Starts the document; figures cost nothing until they are drawn. False after one line on stderr; document_free is needed in either case. */
bool report_make(struct document *d, const struct findings *f, const struct origin *origin);

#endif
