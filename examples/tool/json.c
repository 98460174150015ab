#include "json.h"

#include "fields.h"

#include "utf8.h"

#include <inttypes.h>
#include <math.h>

/* A byte that is no text is U+FFFD: JSON is UTF-8. */
static void write_quoted(FILE *out, const char *text) {
    fputc('"', out);
    for (int length; *text; text += length ? length : 1) {
        unsigned char c = (unsigned char)*text;
        length = utf8_printable(text);
        if (c == '"' || c == '\\')
            fprintf(out, "\\%c", c);
        else if (length)
            fwrite(text, 1, (size_t)length, out);
        else
            fprintf(out, "\\u%04x", c < 0x20 ? c : 0xFFFDU);
    }
    fputc('"', out);
}

static void begin(struct json *j, const char *key) {
    if (j->depth > 0)
        fprintf(j->out, "%s\n%*s", j->first ? "" : ",", 2 * j->depth, "");
    j->first = false;
    if (key) {
        write_quoted(j->out, key);
        fputs(": ", j->out);
    }
}

void json_open(struct json *j, const char *key, char bracket) {
    begin(j, key);
    fputc(bracket, j->out);
    j->depth++;
    j->first = true;
}

void json_close(struct json *j, char bracket) {
    j->depth--;
    if (!j->first)
        fprintf(j->out, "\n%*s", 2 * j->depth, "");
    fputc(bracket, j->out);
    j->first = false;
    if (j->depth == 0)
        fputc('\n', j->out);
}

void json_text(struct json *j, const char *key, const char *value) {
    begin(j, key);
    write_quoted(j->out, value);
}

void json_number(struct json *j, const char *key, double value) {
    char text[FIELD_NUMBER];
    begin(j, key);
    if (isfinite(value))
        field_spell(text, value);
    fputs(isfinite(value) ? text : "null", j->out);
}

void json_integer(struct json *j, const char *key, int64_t value) {
    begin(j, key);
    fprintf(j->out, "%" PRId64, value);
}

void json_bool(struct json *j, const char *key, bool value) {
    begin(j, key);
    fputs(value ? "true" : "false", j->out);
}
