/* Runs gnuplot, as it is found on PATH, without a shell. */
#ifndef TOOL_GNUPLOT_H
#define TOOL_GNUPLOT_H

#include <stdbool.h>

/* False after one line on stderr: it cannot be started. */
bool gnuplot_exists(void);

/* Draws what script says into the file to, as SVG or PNG. False after one line on stderr. */
bool gnuplot_draw(const char *script, const char *to, bool png);

#endif
