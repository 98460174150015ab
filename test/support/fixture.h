#ifndef LNSTAB_TEST_FIXTURE_H
#define LNSTAB_TEST_FIXTURE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Lines of a fixture in test/data, split into words. */
struct fixture {
    FILE *file;
    char *line;
    size_t room;
    char *words[40];
    int count;
};

struct fixture fixture_open(const char *name);
void fixture_close(struct fixture *f);

/* Reads the next line; 0 at the end. words[0..count-1] are its words (further ones are left in the
 * last), rest() what stands behind word i. */
int fixture_next(struct fixture *f);

double fixture_number(const struct fixture *f, int word);
int64_t fixture_integer(const struct fixture *f, int word);
int fixture_is(const struct fixture *f, const char *first_word);

/* n numbers behind the first word of the next line, which must be what. */
void fixture_row(struct fixture *f, const char *what, size_t n, double *out);

#endif
