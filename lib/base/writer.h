#ifndef LNSTAB_BASE_WRITER_H
#define LNSTAB_BASE_WRITER_H

#include <stddef.h>
#include <stdint.h>

#include "base/message.h"

/* Text into a caller's buffer that may be too small, or absent: what does not fit is counted. */
struct lnstab__writer {
    char *out;
    size_t capacity;
    size_t length; /* of the whole text, without the final 0 */
};

void lnstab__write(struct lnstab__writer *w, const char *format, ...) LNSTAB__PRINTF(2, 3);
void lnstab__write_number(struct lnstab__writer *w, double value);

/* Ends a text: tells the size it needs (needed may be NULL), LNSTAB_ERROR_CAPACITY if out is smaller. */
int32_t lnstab__writer_end(const struct lnstab__writer *w, size_t *needed,
                           struct lnstab__message *message);

#endif
