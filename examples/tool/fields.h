/* Fields of CSV. */
#ifndef TOOL_FIELDS_H
#define TOOL_FIELDS_H

#include <stdio.h>

/* Quoted where it must be. */
void field_text(FILE *out, const char *text);
#define FIELD_NUMBER 32
/* The fewest digits that read back as the same number. */
void field_spell(char text[FIELD_NUMBER], double value);
void field_number(FILE *out, double value);

#endif
