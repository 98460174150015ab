/* A file that only grows, of one process at a time. */
#ifndef TOOL_JOURNAL_H
#define TOOL_JOURNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>

struct journal {
    FILE *file; /* to read from                                                     */
    off_t end;  /* what stands behind, torn off by a kill or a full disk, is no part */
};

/* Makes the file if it is not there. NULL, or why it is refused. */
const char *journal_open(struct journal *j, const char *path);

/* Adds bytes at the end; they are on the disk then. False: see errno, and the end is where it was. */
bool journal_append(struct journal *j, const char *bytes, size_t size);

void journal_close(struct journal *j);

#endif
