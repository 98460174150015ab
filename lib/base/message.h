#ifndef LNSTAB_BASE_MESSAGE_H
#define LNSTAB_BASE_MESSAGE_H

#include <stdint.h>

/* The sentence a handle keeps about its last failure. */
struct lnstab__message {
    char text[320];
};

#if defined(__GNUC__)
#define LNSTAB__PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define LNSTAB__PRINTF(text, first)
#endif

/* Keeps the sentence, cut to the room there is, and returns status. Doubles go in as text made by
 * lnstab__number_format: a %g would follow the host's locale. */
int32_t lnstab__fail(struct lnstab__message *m, int32_t status, const char *format, ...)
    LNSTAB__PRINTF(3, 4);

/* Clears the sentence and returns LNSTAB_OK. */
int32_t lnstab__succeed(struct lnstab__message *m);

#endif
