#include "base/number.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* snprintf and strtod put the locale's decimal separator, of one or more bytes, between the two digits
 * of 1.5; asking them is the one way to learn it that needs no shared state. */
static size_t read_separator(char separator[8]) {
    char sample[16];
    int length = snprintf(sample, sizeof sample, "%.1f", 1.5);
    size_t n = (size_t)length - 2;
    n = n < 8 ? n : 8;
    memcpy(separator, sample + 1, n);
    return n;
}

static void put_point(char *text) {
    char separator[8];
    size_t n = read_separator(separator);
    for (char *at = text; *at; ++at) {
        if (strncmp(at, separator, n) == 0) {
            *at = '.';
            memmove(at + 1, at + n, strlen(at + n) + 1);
            return;
        }
    }
}

const char *lnstab__number_format(char text[LNSTAB__NUMBER_ROOM], double value) {
    if (!isfinite(value)) {
        return strcpy(text, isnan(value) ? "nan" : value > 0 ? "inf" : "-inf");
    }
    for (int digits = 15; digits <= 17; ++digits) {
        snprintf(text, LNSTAB__NUMBER_ROOM, "%.*g", digits, value);
        if (strtod(text, NULL) == value) {
            break;
        }
    }
    put_point(text);
    return text;
}

/* Only digits, sign, point and exponent: strtod alone would take "inf", "0x1p3" and leading blanks. */
static int is_decimal(const char *text, size_t length) {
    for (size_t i = 0; i < length; ++i) {
        if (!strchr("0123456789+-.eE", text[i]) || text[i] == '\0') {
            return 0;
        }
    }
    return length > 0;
}

int lnstab__number_parse(const char *text, size_t length, double *value) {
    char copy[128], separator[8];
    size_t separator_length = read_separator(separator), out = 0;
    if (!is_decimal(text, length) || length + sizeof separator > sizeof copy) {
        return 0;
    }
    for (size_t i = 0; i < length; ++i) {
        if (out + separator_length + 1 > sizeof copy) {
            return 0;
        }
        if (text[i] == '.') {
            memcpy(copy + out, separator, separator_length);
            out += separator_length;
        } else {
            copy[out++] = text[i];
        }
    }
    copy[out] = '\0';
    char *end;
    int saved = errno;
    errno = 0;
    double parsed = strtod(copy, &end);
    int vanished = errno == ERANGE && parsed == 0; /* what is not 0 is not taken for it */
    errno = saved;
    if (end != copy + out || !isfinite(parsed) || vanished) {
        return 0;
    }
    *value = parsed;
    return 1;
}

int lnstab__integer_parse(const char *text, size_t length, int64_t *value) {
    char copy[32];
    if (!is_decimal(text, length) || length >= sizeof copy) {
        return 0;
    }
    memcpy(copy, text, length);
    copy[length] = '\0';
    char *end;
    int saved = errno;
    errno = 0;
    long long parsed = strtoll(copy, &end, 10);
    int good = errno == 0 && end == copy + length;
    errno = saved;
    if (good) {
        *value = (int64_t)parsed;
    }
    return good;
}
