#include "usage.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

/* Bytes of the UTF-8 sequence that a byte leads, 0 if it leads none. */
static int sequence_length(unsigned char lead) {
    return lead < 0x80   ? 1
           : lead < 0xC2 ? 0
           : lead < 0xE0 ? 2
           : lead < 0xF0 ? 3
           : lead < 0xF5 ? 4
                         : 0;
}

/* Bytes of the printable character at p, 0 if there is a control character or no valid UTF-8. */
static int printable(const unsigned char *p) {
    static const unsigned least[] = {0, 0x20, 0xA0, 0x800, 0x10000};
    int length = sequence_length(*p);
    unsigned code = length > 1 ? *p & (0xFFU >> (length + 1)) : *p;
    for (int i = 1; i < length; i++) {
        if ((p[i] & 0xC0) != 0x80)
            return 0;
        code = code << 6 | (p[i] & 0x3FU);
    }
    bool good = code >= least[length] && code != 0x7F && code <= 0x10FFFF;
    return good && (code < 0xD800 || code > 0xDFFF) ? length : 0;
}

static void put_printable(const char *text) {
    const unsigned char *p = (const unsigned char *)text;
    while (*p) {
        int length = printable(p);
        if (length)
            fwrite(p, 1, (size_t)length, stderr);
        else
            fprintf(stderr, "\\x%02X", *p);
        p += length ? length : 1;
    }
}

/* A text that finds no memory is cut. */
static void put_line(const char *format, va_list arguments) {
    char room[512], *text = NULL;
    va_list again;
    va_copy(again, arguments);
    int length = vsnprintf(room, sizeof room, format, arguments);
    if (length >= (int)sizeof room && (text = malloc((size_t)length + 1)))
        vsnprintf(text, (size_t)length + 1, format, again);
    va_end(again);
    fputs("lnstab: ", stderr);
    put_printable(text ? text : room);
    fputc('\n', stderr);
    free(text);
}

int usage_error(const char *format, ...) {
    static bool said;
    va_list arguments;
    va_start(arguments, format);
    if (!said)
        put_line(format, arguments);
    said = true;
    va_end(arguments);
    return STATUS_USAGE;
}
