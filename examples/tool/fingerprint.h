/* FNV-1a, 64 bits: one changed byte always changes it. */
#ifndef TOOL_FINGERPRINT_H
#define TOOL_FINGERPRINT_H

#include <stddef.h>
#include <stdint.h>

static inline uint64_t fingerprint(const void *bytes, size_t size) {
    const unsigned char *byte = bytes;
    uint64_t sum = 0xCBF29CE484222325;
    for (size_t i = 0; i < size; i++)
        sum = (sum ^ byte[i]) * 0x100000001B3;
    return sum;
}

#endif
