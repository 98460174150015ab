#ifndef LNSTAB_BASE_NUMBER_H
#define LNSTAB_BASE_NUMBER_H

#include <stddef.h>
#include <stdint.h>

/* Numbers as text, with a decimal point whatever the locale of the host says. */

#define LNSTAB__NUMBER_ROOM 40

/* The shortest of 15, 16 or 17 digits that reads back as the same double; "inf", "-inf", "nan". Returns
 * text. */
const char *lnstab__number_format(char text[LNSTAB__NUMBER_ROOM], double value);

/* Reads a number or integer that fills all of text[length]: 1 if it did, 0 (nothing written) if not. Infinite
 * and NaN are refused, as is an integer outside int64_t. */
int lnstab__number_parse(const char *text, size_t length, double *value);
int lnstab__integer_parse(const char *text, size_t length, int64_t *value);

#endif
