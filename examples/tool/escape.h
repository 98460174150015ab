/* Text inside of the markup of a format. Letters of UTF-8 stay, a byte that is no text becomes U+FFFD, and
 * "+-" in prose is the sign. */
#ifndef TOOL_ESCAPE_H
#define TOOL_ESCAPE_H

#include <stdio.h>

void escape_html(FILE *out, const char *text);
void escape_html_code(FILE *out, const char *text); /* "+-" stays, as in all code */
void escape_markdown(FILE *out, const char *text);
void escape_latex(FILE *out, const char *text);
void escape_latex_code(FILE *out, const char *text);

/* How a format spells the signs of a number. */
struct number_marks {
    const char *plus_minus, *minus, *percent;
    const char *power, *exponent_minus, *power_end; /* around the exponent of ten; "" keeps e+03 */
};

/* The text of a cell of numbers. */
void escape_number(FILE *out, const char *text, const struct number_marks *marks);

#endif
