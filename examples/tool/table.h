/* A table of typed cells. A cell keeps its numbers for CSV, and its text, which is the same in every
 * format but for the spelling of "+-" and of powers of ten. */
#ifndef TOOL_TABLE_H
#define TOOL_TABLE_H

#include "pool.h"

#include <stdint.h>
#include <stdio.h>

enum table_kind {
    TABLE_TEXT,     /* flush left, the others flush right  */
    TABLE_NUMBER,   /* one field of CSV                    */
    TABLE_ESTIMATE, /* three: name, name_low and name_high */
    TABLE_RANGE     /* two: name_low and name_high         */
};

/* A constant array of these describes a table; it ends with a row whose name is NULL. */
struct table_column {
    const char *name;    /* of CSV: raw_norm          */
    const char *heading; /* of what is read: raw norm */
    enum table_kind kind;
};

struct table_cell {
    const char *text;
    bool exact; /* the text is the value: words and whole numbers */
    bool missing;
    double value, low, high;
};

struct table {
    struct pool *pool;
    const struct table_column *columns;
    int width; /* columns */
    int count; /* cells   */
    int room;
    struct table_cell *cells; /* [rows, width]: rows are count/width */
};

void table_start(struct table *t, struct pool *pool, const struct table_column *columns);

/* Each puts the next cell; after the last column of a row the next row begins. NaN is a value, and shows
 * as nan; missing is what no claim covers, "-" or an empty field of CSV. */
void table_text(struct table *t, const char *format, ...) PRINTF_LIKE(2, 3);
void table_integer(struct table *t, int64_t value);
void table_number(struct table *t, int digits, double value); /* 0.987, digits behind the point */
void table_significant(struct table *t, int digits,
                       double value); /* 1.65e+03, so many in all       */
void table_estimate(struct table *t, double mean, double half, int digits);  /* 0.987+-.012      */
void table_relative(struct table *t, double mean, double half);              /* 0.1234+-2.1%     */
void table_fraction(struct table *t, double value, double low, double high); /* 0.250 [.07,.52] */
void table_range(struct table *t, double low, double high, int digits);      /* 1.5..2          */
void table_missing(struct table *t);

int table_rows(const struct table *t);
const struct table_cell *table_at(const struct table *t, int row, int column);

/* Columns parted by a blank. */
void table_print(const struct table *t, FILE *out);
/* Tidy: names, then one row a line, numbers with as many digits as they have, '.' as decimal point. */
void table_csv(const struct table *t, FILE *out);

#endif
