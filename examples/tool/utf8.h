/* Which bytes of a text can be shown. */
#ifndef TOOL_UTF8_H
#define TOOL_UTF8_H

/* Bytes of the printable character at text, 0 if there is a control character or no valid UTF-8. */
int utf8_printable(const char *text);

#endif
