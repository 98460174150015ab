/* A table of texts with aligned columns. */
#ifndef TOOL_TABLE_H
#define TOOL_TABLE_H

#include "usage.h"

#include <stdbool.h>
#include <stdio.h>

#define TABLE_COLUMNS 14
#define TABLE_TEXT 40

struct table {
    int columns, rows, room;
    int at;          /* the column that comes next */
    bool incomplete; /* a row found no memory          */
    char (*cells)[TABLE_COLUMNS][TABLE_TEXT];
};

/* headings are separated by '|'. */
void table_start(struct table *t, const char *headings);
/* Puts the next cell; after the last column of a row the next row begins. Rows that find no memory are
 * left out, and table_print says so. */
void table_put(struct table *t, const char *format, ...) PRINTF_LIKE(2, 3);
/* The first column flush left, the others flush right. Frees the table. */
void table_print(struct table *t, FILE *out);

#endif
