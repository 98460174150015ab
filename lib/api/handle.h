#ifndef LNSTAB_API_HANDLE_H
#define LNSTAB_API_HANDLE_H

#include "base/message.h"
#include "lnstab.h"

/* The checks that every entry point makes in the same words. */

#define REQUIRE_HANDLE(handle)                                                                     \
    do {                                                                                           \
        if (!(handle)) {                                                                           \
            return LNSTAB_ERROR_ARGUMENT;                                                          \
        }                                                                                          \
    } while (0)

/* handle, and a pointer that is called so in the header */
#define REQUIRE(handle, pointer)                                                                   \
    do {                                                                                           \
        REQUIRE_HANDLE(handle);                                                                    \
        if (!(pointer)) {                                                                          \
            return lnstab__fail(&(handle)->message, LNSTAB_ERROR_ARGUMENT, #pointer " is NULL");   \
        }                                                                                          \
    } while (0)

/* An output that the caller may not want. */
#define STORE(pointer, value)                                                                      \
    do {                                                                                           \
        if (pointer) {                                                                             \
            *(pointer) = (value);                                                                  \
        }                                                                                          \
    } while (0)

#endif
