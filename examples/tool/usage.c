#include "usage.h"

#include <stdarg.h>
#include <stdio.h>

int usage_error(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fputs("lnstab: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    return STATUS_USAGE;
}
