/* A JSON writer: commas and indentation by themselves, numbers with all their digits, NaN and infinity as
 * null. */
#ifndef TOOL_JSON_H
#define TOOL_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct json {
    FILE *out;
    int depth;
    bool first; /* nothing stands in the innermost bracket yet */
};

/* key is NULL inside an array and for the outermost value. */
void json_open(struct json *j, const char *key, char bracket);
void json_close(struct json *j, char bracket);
void json_text(struct json *j, const char *key, const char *value);
void json_number(struct json *j, const char *key, double value);
void json_integer(struct json *j, const char *key, int64_t value);
void json_bool(struct json *j, const char *key, bool value);

#endif
