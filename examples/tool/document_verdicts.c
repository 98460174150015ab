#include "document_writers.h"

#include <string.h>

static const struct table_column columns[] = {
    [VERDICT_SOURCE] = {"source", "source", TABLE_TEXT},
    [VERDICT_CLAIM] = {"claim", "claim", TABLE_TEXT},
    [VERDICT_SUBJECT] = {"subject", "subject", TABLE_TEXT},
    [VERDICT_MEASURED] = {"measured", "measured", TABLE_TEXT},
    [VERDICT_PREDICTED] = {"predicted", "predicted", TABLE_TEXT},
    [VERDICT_WORDS] = {"verdict", "verdict", TABLE_TEXT},
    [VERDICT_VIOLATED] = {"violated", "violated", TABLE_NUMBER},
    {NULL, NULL, TABLE_TEXT},
};

static struct table *verdicts_of(struct document *d) {
    for (int i = d->count - 1; i >= 0; i--)
        if (d->parts[i]->kind == PART_VERDICTS)
            return &d->parts[i]->table;
    struct table *t = document_table(d, "verdicts", NULL, columns);
    if (d->count)
        d->parts[d->count - 1]->kind = PART_VERDICTS;
    return t;
}

void document_verdict(struct document *d, const struct verdict_line *v) {
    struct table *t = verdicts_of(d);
    const char *const texts[] = {v->source,   v->claim,     v->subject,
                                 v->measured, v->predicted, v->words};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        table_text(t, "%s", texts[i]);
    table_integer(t, v->violated);
}

const char *verdict_text(const struct table *t, int row, enum verdict_column column) {
    return table_at(t, row, (int)column)->text;
}

bool verdict_begins(const struct table *t, int row) {
    return row == 0 ||
           strcmp(verdict_text(t, row, VERDICT_CLAIM), verdict_text(t, row - 1, VERDICT_CLAIM)) ||
           strcmp(verdict_text(t, row, VERDICT_SOURCE), verdict_text(t, row - 1, VERDICT_SOURCE));
}

void verdict_claim(const struct table *t, int row, FILE *out,
                   void (*escape)(FILE *out, const char *text)) {
    const char *source = verdict_text(t, row, VERDICT_SOURCE);
    escape(out, source);
    escape(out, *source ? ": " : "");
    escape(out, verdict_text(t, row, VERDICT_CLAIM));
}

bool verdict_violated(const struct table *t, int row) {
    return strcmp(verdict_text(t, row, VERDICT_VIOLATED), "0") != 0;
}
