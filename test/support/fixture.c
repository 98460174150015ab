#define _POSIX_C_SOURCE 200809L

#include "support/fixture.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

struct fixture fixture_open(const char *name) {
    char path[256];
    snprintf(path, sizeof path, "%s/%s", LNSTAB_TEST_DATA, name);
    struct fixture f = {.file = fopen(path, "r")};
    ck_assert_msg(f.file != NULL, "cannot open %s", path);
    return f;
}

void fixture_close(struct fixture *f) {
    fclose(f->file);
    free(f->line);
}

int fixture_next(struct fixture *f) {
    f->count = 0;
    if (getline(&f->line, &f->room, f->file) < 0) {
        return 0;
    }
    char *at = f->line + strspn(f->line, " \n");
    const int most = (int)(sizeof f->words / sizeof *f->words);
    while (*at && f->count < most) {
        f->words[f->count++] = at;
        if (f->count < most) {
            at += strcspn(at, " \n");
            if (*at) {
                *at++ = '\0';
                at += strspn(at, " \n");
            }
        }
    }
    return 1;
}

double fixture_number(const struct fixture *f, int word) {
    char *end;
    ck_assert_int_lt(word, f->count);
    double value = strtod(f->words[word], &end);
    ck_assert_msg(end != f->words[word] && (*end == '\0' || *end == ' ' || *end == '\n'),
                  "not a number: %s", f->words[word]);
    return value;
}

int64_t fixture_integer(const struct fixture *f, int word) {
    return strtoll(f->words[word], NULL, 10);
}

int fixture_is(const struct fixture *f, const char *first_word) {
    return f->count > 0 && strcmp(f->words[0], first_word) == 0;
}

void fixture_row(struct fixture *f, const char *what, size_t n, double *out) {
    ck_assert(getline(&f->line, &f->room, f->file) > 0);
    size_t length = strlen(what);
    ck_assert_msg(strncmp(f->line, what, length) == 0, "wanted %s, not %.40s", what, f->line);
    char *at = f->line + length;
    for (size_t i = 0; i < n; ++i) {
        char *end;
        out[i] = strtod(at, &end);
        ck_assert_ptr_ne(end, at);
        at = end;
    }
}
