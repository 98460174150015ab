#ifndef LNSTAB_MATH_PHILOX_H
#define LNSTAB_MATH_PHILOX_H

#include <stddef.h>
#include <stdint.h>

/* A stream of random numbers is named by seed, kind and layer; element i of it is a pure function of
 * these and i: word i mod 4 of Philox 4x32-10 (Salmon et al., SC11) with
 *     key = (seed low, seed high), counter = (i/4 low, i/4 high, kind, layer). */
struct lnstab__stream {
    uint64_t seed;
    uint32_t kind;
    uint32_t layer;
};

void lnstab__philox(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4]);

/* Elements first..first+count-1 as standard normal numbers: Box-Muller on words 0, 1 and on words 2, 3,
 * or as uniform numbers (w + 1/2)/2^32, strictly inside (0, 1). */
void lnstab__draw_normal(struct lnstab__stream s, uint64_t first, size_t count, double *out);
void lnstab__draw_uniform(struct lnstab__stream s, uint64_t first, size_t count, double *out);

#endif
