/* Definition 1 of Xiong 2020, estimated: Z >= 0 is (epsilon, delta)-bounded if
 * Pr[Z > (1 + epsilon) E Z] <= delta. */
#ifndef TOOL_BOUNDEDNESS_H
#define TOOL_BOUNDEDNESS_H

#include "sweep.h"

#define BOUNDEDNESS_EPSILON 0.1

/* A probability that a token has a property. Tokens of one sequence share weights and attention, so
 * the seed is the independent unit: the fractions of the seeds are independent numbers in [0, 1].
 * Among those of a given mean, 0 or 1 spreads most, so Clopper-Pearson with the number of seeds as
 * trials and the sum of the fractions as successes is the conservative choice. */
struct fraction {
    double estimate, lower, upper;
};

struct boundedness {
    struct fraction delta;
    double tau;  /* E[(Z - (1+epsilon) E Z)_+]/E Z, of the repaired proof */
    double mean; /* E Z/d over all seeds and tokens                       */
    double published, repaired_one, repaired_all; /* Theorem 1's probability   */
};

/* The fraction of values[seeds, tokens] above limit, misses with probability miss; NaN if a value is. */
struct fraction fraction_above(const double *values, double limit, int seeds, int64_t tokens,
                               double miss);

/* False after one line on stderr. */
bool boundedness_of(const struct sweep *s, struct cell at, struct boundedness *out);

#endif
