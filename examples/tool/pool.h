/* Memory that a report is built in: texts and arrays that are given back together. */
#ifndef TOOL_POOL_H
#define TOOL_POOL_H

#include "usage.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

struct pool {
    struct pool_piece *pieces;
    bool exhausted; /* something found no memory: what was built is not whole */
};

/* Zeroed, aligned for any type. NULL without memory. */
void *pool_allocate(struct pool *p, size_t size);
/* Texts do not move. "" without memory. */
const char *pool_print(struct pool *p, const char *format, ...) PRINTF_LIKE(2, 3);
const char *pool_vprint(struct pool *p, const char *format, va_list arguments);
/* Room for one element more behind count of them: array, or where it was moved to; NULL without memory,
 * and array stays as it is. */
void *pool_grow(struct pool *p, void *array, int count, int *room, size_t element);
void pool_free(struct pool *p);

#endif
