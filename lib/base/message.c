#include "base/message.h"

#include <stdarg.h>
#include <stdio.h>

#include "lnstab.h"

int32_t lnstab__fail(struct lnstab__message *m, int32_t status, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(m->text, sizeof m->text, format, arguments);
    va_end(arguments);
    return status;
}

int32_t lnstab__succeed(struct lnstab__message *m) {
    m->text[0] = '\0';
    return LNSTAB_OK;
}
