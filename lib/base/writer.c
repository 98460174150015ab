#include "base/writer.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/number.h"
#include "lnstab.h"

void lnstab__write(struct lnstab__writer *w, const char *format, ...) {
    size_t room = w->length < w->capacity ? w->capacity - w->length : 0;
    va_list arguments;
    va_start(arguments, format);
    int written = vsnprintf(room ? w->out + w->length : NULL, room, format, arguments);
    va_end(arguments);
    w->length += written > 0 ? (size_t)written : 0;
}

void lnstab__write_number(struct lnstab__writer *w, double value) {
    char text[LNSTAB__NUMBER_ROOM];
    lnstab__write(w, "%s", lnstab__number_format(text, value));
}

int32_t lnstab__writer_end(const struct lnstab__writer *w, size_t *needed,
                           struct lnstab__message *message) {
    if (needed) {
        *needed = w->length + 1;
    }
    if (w->length < w->capacity) {
        return lnstab__succeed(message);
    }
    return lnstab__fail(message, LNSTAB_ERROR_CAPACITY,
                        "the text needs %zu bytes, the buffer has %zu", w->length + 1, w->capacity);
}
