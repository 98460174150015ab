#ifndef LNSTAB_ANALYSIS_STREAM_BOUNDS_H
#define LNSTAB_ANALYSIS_STREAM_BOUNDS_H

#include "analysis/branch_bounds.h"

/* Of the stream, over all tokens: the largest ||x||/sqrt d, mean |x_i| and standard deviation over i, and
 * the root of the mean of ||x - mean over tokens||^2/d. */
struct lnstab__stream_bounds {
    double norm, mean, deviation, spread;
};

/* As they are at position k = 0..2L + 1 of the last forward; deviation and spread without what roundings of a
 * state can make of them. */
struct lnstab__stream_bounds lnstab__stream_there(const struct lnstab__scene *s, int64_t k);

/* What they are at most behind sublayer k, if they are as given before it: theory.md, Bounds on states. */
struct lnstab__stream_bounds lnstab__stream_after(const struct lnstab__scene *s, int64_t k,
                                                  struct lnstab__stream_bounds before);

/* What they are at most at position k = 1..2L + 1, from what they are at embed.out. */
struct lnstab__stream_bounds lnstab__stream_bound(const struct lnstab__scene *s, int64_t k);

/* >= ||out - out'||/||in - in'|| of sublayer k = 1..2L + 1: theory.md, Backward bounds. */
double lnstab__sublayer_lipschitz(const struct lnstab__scene *s, int64_t k,
                                  enum lnstab__validity where);

/* The product of those of sublayers 1..k. */
double lnstab__stream_lipschitz(const struct lnstab__scene *s, int64_t k,
                                enum lnstab__validity where);

#endif
