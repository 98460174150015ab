/* A finished job as a line of text:
 *
 *   SEED RATIO WIDTH NUMBER... FINGERPRINT
 *
 * First the places of the job on its axes; then, for each placement and in it for each depth, the
 * measurement, the states and the shares of that run, in hexadecimal so that they read back exactly;
 * last the fingerprint of all that stands before it and its blank. */
#ifndef TOOL_RECORD_H
#define TOOL_RECORD_H

#include "sweep.h"

/* The line, with its newline; the caller frees it. NULL without memory. */
char *record_write(const struct sweep *s, struct job job, size_t *size);

/* Puts the results where the sweep has them. A job of a seed that the sweep does not have is passed
 * over. False if line[0..size-1] is not what record_write writes. */
bool record_read(struct sweep *s, char *line, size_t size);

#endif
