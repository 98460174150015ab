#include "utf8.h"

#include <stdbool.h>

/* Bytes of the UTF-8 sequence that a byte leads, 0 if it leads none. */
static int sequence_length(unsigned char lead) {
    return lead < 0x80   ? 1
           : lead < 0xC2 ? 0
           : lead < 0xE0 ? 2
           : lead < 0xF0 ? 3
           : lead < 0xF5 ? 4
                         : 0;
}

int utf8_printable(const char *text) {
    const unsigned char *p = (const unsigned char *)text;
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
