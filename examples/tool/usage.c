#include "usage.h"

#include "utf8.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

static void put_printable(const char *text) {
    while (*text) {
        int length = utf8_printable(text);
        if (length)
            fwrite(text, 1, (size_t)length, stderr);
        else
            fprintf(stderr, "\\x%02X", (unsigned char)*text);
        text += length ? length : 1;
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
