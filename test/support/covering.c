#include "support/covering.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

/* A set of two or three factors, and where its combinations start in the table of all of them. */
struct subset {
    int factor[3];
    long first;
};

struct table {
    const struct covering *c;
    struct subset *subsets;
    int subset_count;
    unsigned char *covered;
    long count;
};

/* splitmix64 */
static uint64_t next_random(uint64_t *state) {
    uint64_t z = *state += 0x9e3779b97f4a7c15U;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31);
}

static int levels_of(const struct covering *c, int factor) {
    return factor < 0 ? 1 : c->levels[factor];
}

static void add_subset(struct table *t, int a, int b, int c) {
    t->subsets[t->subset_count++] = (struct subset){{a, b, c}, t->count};
    t->count += (long)levels_of(t->c, a) * levels_of(t->c, b) * levels_of(t->c, c);
}

static struct table table_new(const struct covering *c) {
    const int n = c->factors;
    struct table t = {.c = c};
    t.subsets = malloc((size_t)(n * n * n) * sizeof *t.subsets);
    for (int a = 0; a < n; ++a) {
        for (int b = a + 1; b < n; ++b) {
            if (c->strength == 2) {
                add_subset(&t, a, b, -1);
            }
            for (int d = b + 1; d < n && c->strength == 3; ++d) {
                add_subset(&t, a, b, d);
            }
        }
    }
    t.covered = calloc((size_t)t.count, 1);
    return t;
}

static void table_free(struct table *t) {
    free(t->subsets);
    free(t->covered);
}

static int choice(const int8_t *row, int factor) {
    return factor < 0 ? 0 : row[factor];
}

/* The place of what a row has of a subset. */
static long place_of(const struct table *t, const struct subset *s, const int8_t *row) {
    long place = 0;
    for (int i = 0; i < 3; ++i) {
        place = place * levels_of(t->c, s->factor[i]) + choice(row, s->factor[i]);
    }
    return s->first + place;
}

/* How much a row covers that nothing did; with `keep` it then does. */
static int gain_of(struct table *t, const int8_t *row, int keep) {
    int gain = 0;
    for (int i = 0; i < t->subset_count; ++i) {
        const long place = place_of(t, &t->subsets[i], row);
        gain += !t->covered[place];
        t->covered[place] |= (unsigned char)keep;
    }
    return gain;
}

static void fill(const struct covering *c, uint64_t *state, int8_t row[COVERING_FACTORS]) {
    memset(row, 0, COVERING_FACTORS);
    for (int i = 0; i < c->factors; ++i) {
        row[i] = (int8_t)(next_random(state) % (uint64_t)c->levels[i]);
    }
}

/* Puts the combination at a place into a row. */
static void impose(const struct table *t, long place, int8_t *row) {
    int i = t->subset_count - 1;
    while (t->subsets[i].first > place) {
        --i;
    }
    place -= t->subsets[i].first;
    for (int j = 2; j >= 0; --j) {
        const int factor = t->subsets[i].factor[j], levels = levels_of(t->c, factor);
        if (factor >= 0) {
            row[factor] = (int8_t)(place % levels);
        }
        place /= levels;
    }
}

static void best_row(struct table *t, long place, uint64_t *state, int8_t *row) {
    int8_t candidate[COVERING_FACTORS];
    int best = -1;
    for (int i = 0; i < 40; ++i) {
        fill(t->c, state, candidate);
        impose(t, place, candidate);
        const int gain = gain_of(t, candidate, 0);
        if (gain > best) {
            best = gain;
            memcpy(row, candidate, sizeof candidate);
        }
    }
}

int covering_rows(const struct covering *c, int8_t (*rows)[COVERING_FACTORS], int most) {
    struct table t = table_new(c);
    uint64_t state = 1;
    int count = 0;
    for (long place = 0; place < t.count; ++place) {
        if (!t.covered[place]) {
            ck_assert_int_lt(count, most);
            best_row(&t, place, &state, rows[count]);
            gain_of(&t, rows[count++], 1);
        }
    }
    table_free(&t);
    return count;
}

void covering_random(const struct covering *c, uint64_t draw, int8_t row[COVERING_FACTORS]) {
    uint64_t state = draw * 0x9e3779b97f4a7c15U + 12345;
    (void)next_random(&state);
    state = next_random(&state);
    fill(c, &state, row);
}

long covering_count(const struct covering *c) {
    struct table t = table_new(c);
    const long count = t.count;
    table_free(&t);
    return count;
}

long covering_missing(const struct covering *c, int8_t (*rows)[COVERING_FACTORS], int count) {
    struct table t = table_new(c);
    long missing = 0;
    for (int i = 0; i < count; ++i) {
        gain_of(&t, rows[i], 1);
    }
    for (long place = 0; place < t.count; ++place) {
        missing += !t.covered[place];
    }
    table_free(&t);
    return missing;
}
