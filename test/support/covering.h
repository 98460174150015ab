#ifndef LNSTAB_TEST_COVERING_H
#define LNSTAB_TEST_COVERING_H

#include <stdint.h>

/* Covering arrays: rows of choices, one a factor, such that every combination of any `strength` choices
 * of different factors is in some row. Faults of this library come from a few parts that meet, not from
 * fifteen, so that such rows find them without the whole product. */

enum { COVERING_FACTORS = 20 };

struct covering {
    int factors, strength; /* strength 2 or 3 */
    int levels[COVERING_FACTORS];
};

/* Fills rows, at most `most` of them, and returns how many: greedily, each row the best of some that hold
 * the first combination not yet covered. The same every time. Fails the test if there is no room. */
int covering_rows(const struct covering *c, int8_t (*rows)[COVERING_FACTORS], int most);

/* One row, every choice uniform: row number `draw` of an endless list. */
void covering_random(const struct covering *c, uint64_t draw, int8_t row[COVERING_FACTORS]);

/* How many combinations there are, and how many of them the rows lack. */
long covering_count(const struct covering *c);
long covering_missing(const struct covering *c, int8_t (*rows)[COVERING_FACTORS], int count);

#endif
