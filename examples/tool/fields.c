#include "fields.h"

#include "not_finite.h"

#include <stdlib.h>
#include <string.h>

void field_text(FILE *out, const char *text) {
    if (!text[strcspn(text, ",\"\r\n")]) {
        fputs(text, out);
        return;
    }
    fputc('"', out);
    for (; *text; text++)
        fprintf(out, *text == '"' ? "\"\"" : "%c", *text);
    fputc('"', out);
}

void field_spell(char text[FIELD_NUMBER], double value) {
    int digits = 1;
    do
        snprintf(text, FIELD_NUMBER, "%.*g", digits, shown(value));
    while (digits++ < 17 && strtod(text, NULL) != value);
}

void field_number(FILE *out, double value) {
    char text[FIELD_NUMBER];
    field_spell(text, value);
    fputs(text, out);
}
