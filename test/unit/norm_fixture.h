#ifndef LNSTAB_TEST_UNIT_NORM_FIXTURE_H
#define LNSTAB_TEST_UNIT_NORM_FIXTURE_H

#include <stdio.h>

#include "support/fixture.h"
#include "unit/harness.h"

/* One block of test/data/norms.txt (test/parity/README.md has the format). */
enum { NORM_FIXTURE_WIDTH = 256 };

struct norm_case {
    char name[60];
    int rms;
    size_t d;
    double eps;
    double x[NORM_FIXTURE_WIDTH], gamma[NORM_FIXTURE_WIDTH], bias[NORM_FIXTURE_WIDTH];
    double dy[NORM_FIXTURE_WIDTH], v[NORM_FIXTURE_WIDTH];
    double y[NORM_FIXTURE_WIDTH], dx[NORM_FIXTURE_WIDTH], dgamma[NORM_FIXTURE_WIDTH];
    double jv[NORM_FIXTURE_WIDTH];
    double norms[4]; /* rstd, spectral, frobenius, smallest nonzero singular value */
};

static inline double largest_of(size_t n, const double *x) {
    double largest = 0;
    for (size_t i = 0; i < n; ++i) {
        largest = fmax(largest, fabs(x[i]));
    }
    return largest;
}

/* 0 at the end of the file. */
static inline int norm_case_next(struct fixture *f, struct norm_case *c) {
    if (!fixture_next(f)) {
        return 0;
    }
    ck_assert(fixture_is(f, "norm"));
    snprintf(c->name, sizeof c->name, "%.20s %.30s", f->words[1], f->words[2]);
    c->rms = strcmp(f->words[1], "rms") == 0;
    c->d = (size_t)fixture_integer(f, 3);
    c->eps = fixture_number(f, 4);
    ck_assert_uint_le(c->d, NORM_FIXTURE_WIDTH);
    const struct {
        const char *word;
        double *to;
    } rows[] = {{"x", c->x}, {"gamma", c->gamma}, {"bias", c->bias},     {"dy", c->dy}, {"v", c->v},
                {"y", c->y}, {"dx", c->dx},       {"dgamma", c->dgamma}, {"jv", c->jv}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        fixture_row(f, rows[i].word, c->d, rows[i].to);
    }
    fixture_row(f, "rstd_spectral_frobenius_smallest", 4, c->norms);
    return 1;
}

/* Hands every block of the file to check; fails if there are few. */
static inline void for_each_norm_case(void (*check)(const struct norm_case *c)) {
    static struct norm_case c;
    struct fixture f = fixture_open("norms.txt");
    int count = 0;
    for (; norm_case_next(&f, &c); ++count) {
        check(&c);
    }
    fixture_close(&f);
    ck_assert_int_ge(count, 300);
}

#endif
